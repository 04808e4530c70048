package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mrsvctl}: makes, shows, changes and releases reservations. */
@Command(
        name = "mrsvctl",
        description = {
            "Makes, shows, changes and releases reservations.",
            "",
            "  weir mrsvctl -c -h '^n000[1-4]$' -a user=john,user=steve -d 2:00:00",
            "  weir mrsvctl -l                       list them",
            "  weir mrsvctl -q system.1 --blocking   what stands in its way; --diag, --profile",
            "  weir mrsvctl -m starttime+=5:00:00 system.1",
            "  weir mrsvctl -r system.1",
            "",
            "+= and -= are relative to the reservation; + or - before a time, to now."
        })
public final class MrsvctlCommand extends RequestCommand {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Action action = new Action();

    @Mixin
    private ReservationForm form = new ReservationForm();

    @Option(names = "-g", paramLabel = "GROUP", description = "Group of reservations; with -C, a standing reservation.")
    private @Nullable String group;

    @Option(
            names = "-i",
            paramLabel = "INDEX",
            description = "With -l: only the one at this place of the list, from 1.")
    private @Nullable Integer index;

    @Option(names = "--blocking", description = "With -q: jobs and reservations in its way, and for how long.")
    private boolean blocking;

    @Option(
            names = {"--diag", "--diagnose"},
            description = "With -q: what looks wrong with it.")
    private boolean diagnose;

    @Option(
            names = "--profile",
            description = "With -q: profiles that reservations can be made from, or the one named.")
    private boolean profile;

    @Parameters(arity = "0..*", paramLabel = "RSV", description = "Ids, or a regular expression.")
    private List<String> ids = List.of();

    /** What to do; one of these. */
    static final class Action {
        @Option(names = "-c", description = "Make one.")
        private boolean create;

        @Option(names = "-l", description = "List: all, or those an expression finds.")
        private boolean list;

        @Option(names = "-q", description = "Show in detail.")
        private boolean query;

        @Option(
                names = "-m",
                arity = "0..1",
                fallbackValue = "",
                paramLabel = "ATTR=VALUE",
                description =
                        "Change: starttime, endtime, duration, hostexp, tasks, flags, label, variable, group, owner,"
                                + " profile; =, += or -=; may be repeated. Also -a and -S.")
        private @Nullable List<String> modify;

        @Option(names = "-r", description = "Release: ids, an expression, ALL, or -g GROUP.")
        private boolean release;

        @Option(names = "-C", description = "Clear disabled slots of a standing reservation.")
        private boolean clear;

        @Option(names = "-B", description = "Build the instances of a standing reservation now.")
        private boolean rebuild;
    }

    @Override
    void check() {
        if (ids.stream().anyMatch(String::isBlank)) {
            throw usage("An empty name is no reservation's; say which, or ALL");
        }
        if (index != null && index < 1) {
            throw usage("-i " + index + " is no place in the list; the first is 1");
        }
        if (action.create && !form.problem().isEmpty()) {
            throw usage(form.problem());
        }
        if (((action.query && !profile) || action.rebuild || action.modify != null)
                && targets().isEmpty()) {
            throw usage("Say which reservation");
        }
        if ((action.release || action.clear) && ids.isEmpty() && group == null) {
            throw usage("Say which reservation, or give -g");
        }
        if (action.modify != null) {
            for (String text : changes()) {
                if (Change.parse(text).isEmpty()) {
                    throw usage("-m " + text + " is not understood; give ATTR=VALUE");
                }
            }
            if (changes().isEmpty()
                    && form.changes(Wish.about(RequestKind.MODIFY_RESERVATION, "-"))
                            .arguments()
                            .isEmpty()) {
                throw usage("Say what to change: -m ATTR=VALUE, or -m -d, -a, -S ...");
            }
        }
    }

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        if (action.list) {
            return list(site, cluster);
        } else if (action.query) {
            return query(site, cluster);
        } else if (action.create) {
            return ask(site, cluster, List.of(form.wish(group)));
        } else if (action.modify != null) {
            return ask(site, cluster, targets().stream().map(this::modification).toList());
        }
        RequestKind kind = action.release
                ? RequestKind.RELEASE_RESERVATION
                : action.clear ? RequestKind.ENABLE_RESERVATION : RequestKind.REBUILD_RESERVATION;
        if (ids.isEmpty()) {
            return ask(site, cluster, List.of(Wish.about(kind, "-").withOptional("group", group)));
        }
        return ask(site, cluster, ids.stream().map(id -> Wish.about(kind, id)).toList());
    }

    @Override
    void tell(Wish wish, JsonNode answer) {
        if (wish.kind() == RequestKind.CREATE_RESERVATION && Answers.accepted(answer)) {
            out().printf("NOTE:  reservation %s created%n", Shown.text(answer, "objectId"));
            Answers.values(answer.path("details"), "line").forEach(line -> out().printf("  %s%n", line));
            out().flush();
        } else {
            super.tell(wish, answer);
        }
    }

    @Override
    String done(Wish wish) {
        String what = wish.objectId().equals("-") ? "reservations of " + group : "reservation " + wish.objectId();
        return what
                + switch (wish.kind()) {
                    case RELEASE_RESERVATION -> " successfully released";
                    case MODIFY_RESERVATION -> " modified";
                    case ENABLE_RESERVATION -> " enabled";
                    default -> " built";
                };
    }

    @Override
    String failed(Wish wish) {
        return wish.kind() == RequestKind.CREATE_RESERVATION
                ? "cannot create reservation"
                : wish.objectId().equals("-") ? "reservations of " + group : "reservation " + wish.objectId();
    }

    /** {@code -m -d +=5:00:00 system.1} changes by the other options; what {@code -m} took may be the id then. */
    private List<String> changes() {
        return action.modify == null
                ? List.of()
                : action.modify.stream()
                        .filter(text -> !text.isEmpty())
                        .filter(text -> Change.parse(text).isPresent() || !ids.isEmpty())
                        .toList();
    }

    private List<String> targets() {
        if (!ids.isEmpty() || action.modify == null) {
            return ids;
        }
        return action.modify.stream()
                .filter(text -> !text.isEmpty() && Change.parse(text).isEmpty())
                .toList();
    }

    private Wish modification(String id) {
        Wish wish = Wish.about(RequestKind.MODIFY_RESERVATION, id);
        for (String text : changes()) {
            wish = Change.parse(text).orElseThrow().addTo(wish);
        }
        return form.changes(wish);
    }

    private List<JsonNode> chosen(Site site, String cluster) {
        List<JsonNode> found = new ArrayList<>();
        List<Pattern> wanted = ids.stream().map(this::pattern).toList();
        for (JsonNode reservation : all(site, cluster, "reservations")) {
            String id = reservation.path("reservationId").asText();
            boolean own = !Shown.has(reservation, "jobId");
            boolean named = ids.contains(id);
            boolean matches = wanted.isEmpty()
                    || wanted.stream().anyMatch(pattern -> pattern.matcher(id).find());
            if (named || (own && matches && (group == null || group.equals(Shown.text(reservation, "group"))))) {
                found.add(reservation);
            }
        }
        return found;
    }

    private Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw usage(text + " is no regular expression: " + e.getDescription());
        }
    }

    private int list(Site site, String cluster) throws IOException {
        List<JsonNode> found = chosen(site, cluster);
        if (found.isEmpty() && (!ids.isEmpty() || group != null)) {
            throw nothing(cluster);
        }
        if (index != null) {
            if (index > found.size()) {
                throw new SiteException(
                        ExitCode.FAILED, "-i " + index + ": the list has " + found.size() + " reservations");
            }
            found = List.of(found.get(index - 1));
        }
        if (options().structured()) {
            print(JsonNodeFactory.instance.arrayNode().addAll(found));
            return ExitCode.FINE;
        }
        Listing table = new Listing("ReservationID", "Owner", "Group", ">Start", ">End", ">Duration", ">Nodes", "ACL");
        for (JsonNode reservation : found) {
            Instant now = Shown.instant(reservation, "now").orElse(Instant.EPOCH);
            table.row(
                    Shown.text(reservation, "reservationId"),
                    Shown.text(reservation, "owner"),
                    Shown.text(reservation, "group"),
                    Shown.relative(Shown.instant(reservation, "start").orElse(now), now),
                    Shown.relative(Shown.instant(reservation, "end").orElse(now), now),
                    Shown.span(reservation, "durationSeconds"),
                    ReservationText.nodeCount(reservation),
                    acl(reservation));
        }
        table.print(out());
        return ExitCode.FINE;
    }

    private int query(Site site, String cluster) throws IOException {
        if (profile) {
            return profiles(site, cluster);
        }
        List<JsonNode> found = chosen(site, cluster);
        if (found.isEmpty()) {
            throw nothing(cluster);
        }
        ReservationQuery query = new ReservationQuery(new Views(site, cluster), blocking, diagnose);
        ArrayNode read = query.read(found);
        if (options().structured()) {
            print(read);
        } else {
            query.print(read, out());
        }
        return ExitCode.FINE;
    }

    private SiteException nothing(String cluster) {
        String what = ids.isEmpty() ? "of group '" + group + "'" : "'" + String.join("', '", ids) + "'";
        return new SiteException(ExitCode.FAILED, "cannot locate reservation " + what + " on " + cluster);
    }

    /** Shows the profiles of the configuration in force, all or those named. */
    private int profiles(Site site, String cluster) throws IOException {
        List<String> lines = new Views(site, cluster)
                .configured("RSVPROFILE").stream()
                        .filter(line -> ids.isEmpty()
                                || ids.stream()
                                        .anyMatch(id -> line.regionMatches(
                                                true, 0, "RSVPROFILE[" + id + "]", 0, id.length() + 12)))
                        .toList();
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            lines.forEach(array::add);
            print(array);
        } else {
            lines.forEach(out()::println);
        }
        if (lines.isEmpty()) {
            throw new SiteException(
                    ExitCode.FAILED,
                    ids.isEmpty()
                            ? "the configuration in force has no RSVPROFILE"
                            : "cannot locate profile '" + String.join("', '", ids) + "' on " + cluster);
        }
        return ExitCode.FINE;
    }

    private static String acl(JsonNode reservation) {
        return reservation.path("acl").isEmpty() ? Shown.NOTHING : Shown.list(reservation, "acl");
    }
}
