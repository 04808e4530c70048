package io.weir.command.reservation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.client.AttributeChange;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.RequestCommand;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
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
            "Creates, shows, changes and releases reservations.",
            "",
            "  weir mrsvctl -c -h '^n000[1-4]$' -a user=john,user=steve -d 2:00:00",
            "  weir mrsvctl -l                       list them",
            "  weir mrsvctl -q system.1 --blocking   what conflicts with it; --diag, --profile",
            "  weir mrsvctl -m starttime+=5:00:00 system.1",
            "  weir mrsvctl -r system.1",
            "",
            "+= and -= are relative to the reservation's time; + or - before a time is relative to now."
        })
public final class MrsvctlCommand extends RequestCommand {
    /** Stands for every reservation that is no job's. */
    private static final String ALL = "ALL";

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Action action = new Action();

    @Mixin
    private ReservationForm form = new ReservationForm();

    @Option(names = "-g", paramLabel = "GROUP", description = "Group of reservations; with -C, a standing reservation.")
    private @Nullable String group;

    @Option(
            names = "-i",
            paramLabel = "INDEX",
            description = "With -l: only the one at this position in the list, from 1.")
    private @Nullable Integer index;

    @Option(
            names = "--blocking",
            description = "With -q: jobs and reservations that conflict with it, and for how" + " long.")
    private boolean blocking;

    @Option(
            names = {"--diag", "--diagnose"},
            description = "With -q: its possible problems.")
    private boolean diagnose;

    @Option(
            names = "--profile",
            description = "With -q: profiles that reservations can be made from, or the one named.")
    private boolean profile;

    @Parameters(arity = "0..*", paramLabel = "RSV", description = "Ids; with -r also a regular expression.")
    private List<String> ids = List.of();

    /** What to do; one of these. */
    static final class Action {
        @Option(names = "-c", description = "Create a reservation.")
        private boolean create;

        @Option(names = "-l", description = "List: all, or those that match an expression.")
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
                                + " profile, message; =, += or -=; may be repeated. Options as with -c are changes, too, all but"
                                + " -f and -p.")
        private @Nullable List<String> modify;

        @Option(names = "-r", description = "Release: ids, an expression, ALL, or -g GROUP.")
        private boolean release;

        @Option(names = "-C", description = "Clear disabled slots of a standing reservation.")
        private boolean clear;

        @Option(names = "-B", description = "Build the instances of a standing reservation now.")
        private boolean rebuild;
    }

    @Override
    protected void check() {
        if (ids.stream().anyMatch(String::isBlank)) {
            throw usage("An empty name is no reservation's; say which, or ALL");
        }
        checkFit();
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
                if (AttributeChange.parse(text).isEmpty()) {
                    throw usage("-m " + text + " is not understood; give ATTR=VALUE");
                }
            }
            if (changes().isEmpty()
                    && form.changes(OperatorRequest.about(RequestKind.MODIFY_RESERVATION, "-"), group)
                            .arguments()
                            .isEmpty()) {
                throw usage("Say what to change: -m ATTR=VALUE, or -m -d, -a, -S ...");
            }
        }
    }

    /** Refuses options that mean nothing for what is done, which would be lost without a word. */
    private void checkFit() {
        List<String> given = form.given();
        boolean shapes = action.create || action.modify != null;
        if (!shapes && !given.isEmpty()) {
            throw usage(given.get(0) + " belongs to -c and -m");
        }
        if (action.modify != null && (given.contains("-f") || given.contains("-p"))) {
            throw usage((given.contains("-f") ? "-f" : "-p") + " belongs to -c; features and partition stay as made");
        }
        if (action.create && !ids.isEmpty()) {
            throw usage("'" + ids.get(0) + "' is one word too many; -c takes nodes with -h");
        }
        if ((blocking || diagnose || profile) && !action.query) {
            throw usage((blocking ? "--blocking" : diagnose ? "--diag" : "--profile") + " belongs to -q");
        }
        if (index != null && !action.list) {
            throw usage("-i belongs to -l");
        }
        if (group != null && (action.rebuild || ((action.release || action.clear) && !ids.isEmpty()))) {
            throw usage(action.rebuild ? "-g does not go with -B" : "Give reservations or -g, not both");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        if (action.list) {
            return list(client, cluster);
        } else if (action.query) {
            return query(client, cluster);
        } else if (action.create) {
            return ask(client, cluster, List.of(form.request(group)));
        } else if (action.modify != null) {
            return ask(
                    client, cluster, targets().stream().map(this::modification).toList());
        }
        RequestKind kind = action.release
                ? RequestKind.RELEASE_RESERVATION
                : action.clear ? RequestKind.ENABLE_RESERVATION : RequestKind.REBUILD_RESERVATION;
        if (ids.isEmpty()) {
            return ask(client, cluster, List.of(OperatorRequest.about(kind, "-").withOptional("group", group)));
        }
        return ask(
                client,
                cluster,
                ids.stream().map(id -> OperatorRequest.about(kind, id)).toList());
    }

    @Override
    protected void tell(OperatorRequest request, JsonNode answer) {
        if (request.kind() == RequestKind.CREATE_RESERVATION && RequestAnswer.accepted(answer)) {
            out().printf("NOTE:  reservation %s created%n", FieldText.text(answer, "objectId"));
            RequestAnswer.values(answer.path("details"), "line").forEach(line -> out().printf("  %s%n", line));
            out().flush();
        } else {
            super.tell(request, answer);
        }
    }

    @Override
    protected String done(OperatorRequest request) {
        String what = request.objectId().equals("-") ? "reservations of " + group : "reservation " + request.objectId();
        return what
                + switch (request.kind()) {
                    case RELEASE_RESERVATION -> " successfully released";
                    case MODIFY_RESERVATION -> " modified";
                    case ENABLE_RESERVATION -> " enabled";
                    default -> " built";
                };
    }

    @Override
    protected String failed(OperatorRequest request) {
        return request.kind() == RequestKind.CREATE_RESERVATION
                ? "cannot create reservation"
                : request.objectId().equals("-") ? "reservations of " + group : "reservation " + request.objectId();
    }

    /** {@code -m -d +=5:00:00 system.1} changes by the other options; what {@code -m} took may be the id then. */
    private List<String> changes() {
        return action.modify == null
                ? List.of()
                : action.modify.stream()
                        .filter(text -> !text.isEmpty())
                        .filter(text -> AttributeChange.parse(text).isPresent() || !ids.isEmpty())
                        .toList();
    }

    private List<String> targets() {
        if (!ids.isEmpty() || action.modify == null) {
            return ids;
        }
        return action.modify.stream()
                .filter(text -> !text.isEmpty() && AttributeChange.parse(text).isEmpty())
                .toList();
    }

    private OperatorRequest modification(String id) {
        OperatorRequest request = OperatorRequest.about(RequestKind.MODIFY_RESERVATION, id);
        for (String text : changes()) {
            request = AttributeChange.parse(text).orElseThrow().addTo(request);
        }
        return form.changes(request, group);
    }

    private List<JsonNode> chosen(ClusterClient client, String cluster) {
        List<JsonNode> found = new ArrayList<>();
        List<Pattern> wanted =
                ids.stream().filter(id -> !id.equals(ALL)).map(this::pattern).toList();
        for (JsonNode reservation : all(client, cluster, "reservations")) {
            String id = reservation.path("reservationId").asText();
            boolean own = !FieldText.has(reservation, "jobId");
            boolean named = ids.contains(id);
            boolean matches = wanted.isEmpty()
                    || wanted.stream().anyMatch(pattern -> pattern.matcher(id).find());
            if (named || (own && matches && (group == null || group.equals(FieldText.text(reservation, "group"))))) {
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

    private int list(ClusterClient client, String cluster) throws IOException {
        List<JsonNode> found = chosen(client, cluster);
        if (found.isEmpty() && (!ids.isEmpty() || group != null)) {
            throw nothing(cluster);
        }
        if (index != null) {
            if (index > found.size()) {
                throw new ClientException(
                        ExitCode.FAILED, "-i " + index + ": the list has " + found.size() + " reservations");
            }
            found = List.of(found.get(index - 1));
        }
        if (options().structured()) {
            print(JsonNodeFactory.instance.arrayNode().addAll(found));
            return ExitCode.FINE;
        }
        TextTable table =
                new TextTable("ReservationID", "Owner", "Group", ">Start", ">End", ">Duration", ">Nodes", "ACL");
        for (JsonNode reservation : found) {
            Instant now = FieldText.instant(reservation, "now").orElse(Instant.EPOCH);
            table.row(
                    FieldText.text(reservation, "reservationId"),
                    FieldText.text(reservation, "owner"),
                    FieldText.text(reservation, "group"),
                    TimeText.relative(FieldText.instant(reservation, "start").orElse(now), now),
                    TimeText.relative(FieldText.instant(reservation, "end").orElse(now), now),
                    FieldText.span(reservation, "durationSeconds"),
                    ReservationText.nodeCount(reservation),
                    acl(reservation));
        }
        table.print(out());
        return ExitCode.FINE;
    }

    private int query(ClusterClient client, String cluster) throws IOException {
        if (profile) {
            return profiles(client, cluster);
        }
        List<JsonNode> found = chosen(client, cluster);
        if (found.isEmpty()) {
            throw nothing(cluster);
        }
        ReservationQuery query = new ReservationQuery(new Views(client, cluster), blocking, diagnose);
        ArrayNode read = query.read(found);
        if (options().structured()) {
            print(read);
        } else {
            query.print(read, out());
        }
        return ExitCode.FINE;
    }

    private ClientException nothing(String cluster) {
        String what = ids.isEmpty() ? "of group '" + group + "'" : "'" + String.join("', '", ids) + "'";
        return new ClientException(ExitCode.FAILED, "cannot locate reservation " + what + " on " + cluster);
    }

    /** Shows the profiles of the configuration in force, all or those named. */
    private int profiles(ClusterClient client, String cluster) throws IOException {
        List<String> lines = new Views(client, cluster)
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
            throw new ClientException(
                    ExitCode.FAILED,
                    ids.isEmpty()
                            ? "the configuration in force has no RSVPROFILE"
                            : "cannot locate profile '" + String.join("', '", ids) + "' on " + cluster);
        }
        return ExitCode.FINE;
    }

    private static String acl(JsonNode reservation) {
        return reservation.path("acl").isEmpty() ? FieldText.NOTHING : FieldText.list(reservation, "acl");
    }
}
