package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
            "  weir mrsvctl -q system.1 --blocking   what stands in its way",
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

    @Option(names = "--blocking", description = "With -q: jobs and reservations in its way.")
    private boolean blocking;

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
        if (action.create && !form.problem().isEmpty()) {
            throw usage(form.problem());
        }
        if ((action.query || action.rebuild || action.modify != null)
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
            for (String id : Shown.text(answer, "objectId").split(",", -1)) {
                out().printf("NOTE:  reservation %s created%n", id);
            }
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
                : "reservation " + wish.objectId();
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
            boolean own = !reservation.path("type").asText().equals("JOB");
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
        if (index != null) {
            found = index >= 1 && index <= found.size() ? List.of(found.get(index - 1)) : List.of();
        }
        if (options().structured()) {
            print(JsonNodeFactory.instance.arrayNode().addAll(found));
            return ExitCode.FINE;
        }
        String format = "%-22s %-14s %-12s %12s %12s %12s  %5s  %s%n";
        out().printf(format, "ReservationID", "Owner", "Group", "Start", "End", "Duration", "Nodes", "ACL");
        for (JsonNode reservation : found) {
            Instant now = Shown.instant(reservation, "now").orElse(Instant.EPOCH);
            out().printf(
                            format,
                            Shown.text(reservation, "reservationId"),
                            Shown.text(reservation, "owner"),
                            Shown.text(reservation, "group"),
                            Shown.relative(Shown.instant(reservation, "start").orElse(now), now),
                            Shown.relative(Shown.instant(reservation, "end").orElse(now), now),
                            Shown.span(reservation, "durationSeconds"),
                            Shown.text(reservation, "nodes"),
                            acl(reservation));
        }
        return ExitCode.FINE;
    }

    private int query(Site site, String cluster) throws IOException {
        List<JsonNode> found = chosen(site, cluster);
        if (found.isEmpty()) {
            throw new SiteException(ExitCode.FAILED, "cannot locate reservation " + ids + " on " + cluster);
        }
        if (options().structured()) {
            print(JsonNodeFactory.instance.arrayNode().addAll(found));
            return ExitCode.FINE;
        }
        JsonNode everything = blocking ? all(site, cluster, "reservations") : found.get(0);
        for (JsonNode reservation : found) {
            ReservationText.print(reservation, out());
            if (blocking) {
                blockers(reservation, everything);
            }
        }
        return ExitCode.FINE;
    }

    /** Says who else has something of the same nodes in the same time, and for how long. */
    private void blockers(JsonNode reservation, JsonNode everything) {
        Map<String, String> lines = new TreeMap<>();
        Instant start = Shown.instant(reservation, "start").orElse(Instant.EPOCH);
        Instant end = Shown.instant(reservation, "end").orElse(Instant.MAX);
        List<String> nodes = reservation.path("allocation").findValuesAsText("nodeId");
        for (JsonNode other : everything) {
            Instant from = Shown.instant(other, "start").orElse(Instant.EPOCH);
            Instant until = Shown.instant(other, "end").orElse(Instant.MAX);
            List<String> shared = new ArrayList<>(other.path("allocation").findValuesAsText("nodeId"));
            shared.retainAll(nodes);
            boolean self = other.path("reservationId").equals(reservation.path("reservationId"));
            if (!self && !shared.isEmpty() && from.isBefore(end) && until.isAfter(start)) {
                Instant first = from.isAfter(start) ? from : start;
                Instant last = until.isBefore(end) ? until : end;
                lines.put(
                        Shown.text(other, "reservationId"),
                        String.format(
                                Locale.ROOT,
                                "%-22s %-5s %12s  on %s",
                                Shown.text(other, "reservationId"),
                                Shown.text(other, "category"),
                                Shown.relative(last, first),
                                String.join(",", shared)));
            }
        }
        out().printf("Blocking: %s%n", lines.isEmpty() ? "nothing" : "");
        lines.values().forEach(line -> out().println("  " + line));
    }

    private static String acl(JsonNode reservation) {
        return reservation.path("acl").isEmpty() ? Shown.NOTHING : Shown.list(reservation, "acl");
    }
}
