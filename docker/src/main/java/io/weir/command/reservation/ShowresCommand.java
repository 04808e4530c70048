package io.weir.command.reservation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.format.FieldText;
import io.weir.command.format.NodeTasks;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir showres}: reservations. */
@Command(
        name = "showres",
        description = {
            "Lists reservations, those of running jobs included, by their start.",
            "",
            "Type is Job:Deadline for a job that will meet its deadline.",
            "S is R for the resources of a running job, A for an active reservation, I for an inactive one.",
            "Start, end and duration are relative to now, as [-][D:]HH:MM:SS."
        })
public final class ShowresCommand extends ClusterCommand {
    /** States of nodes that no job can use. */
    private static final List<String> OUT_OF_SERVICE = List.of("DOWN", "DRAINED", "REMOVED");

    @Parameters(arity = "0..1", paramLabel = "RSV", description = "Only this reservation.")
    private @Nullable String id;

    @Option(names = "-n", description = "By node, with the tasks on each.")
    private boolean byNode;

    @Option(names = "-s", description = "A summary: how many of each type.")
    private boolean summary;

    @Option(names = "-o", description = "Only reservations that have begun.")
    private boolean begun;

    @Option(names = "-g", paramLabel = "GROUP", description = "Only reservations of this group.")
    private @Nullable String group;

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode reservation : all(client, cluster, "reservations")) {
            if ((id == null || reservation.path("reservationId").asText().equals(id))
                    && (!begun || reservation.path("active").asBoolean())
                    && (group == null || reservation.path("group").asText().equals(group))) {
                chosen.add(reservation);
            }
        }
        if (id != null && chosen.isEmpty()) {
            throw new ClientException(ExitCode.FAILED, "cannot locate reservation '" + id + "' on " + cluster);
        }
        chosen.sort(Comparator.comparing(
                        (JsonNode reservation) -> reservation.path("start").asText())
                .thenComparing(reservation -> reservation.path("reservationId").asText()));
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode().addAll(chosen);
            print(array);
            return ExitCode.FINE;
        }
        if (summary) {
            summary(chosen);
        } else {
            if (byNode) {
                nodes(chosen, client, cluster);
            } else {
                list(chosen);
            }
        }
        out().printf("%n%d reservations located%n", chosen.size());
        return ExitCode.FINE;
    }

    /** How many there are of each type, and how much they hold. */
    private void summary(List<JsonNode> reservations) {
        Map<String, int[]> sums = new TreeMap<>();
        for (JsonNode reservation : reservations) {
            int[] sum = sums.computeIfAbsent(FieldText.word(reservation, "type"), type -> new int[3]);
            sum[0]++;
            if (reservation.path("active").asBoolean()) {
                sum[1]++;
                sum[2] += reservation.path("procs").asInt();
            }
        }
        TextTable table = new TextTable("Type", ">Reservations", ">Active", ">ActiveProcs").spaced();
        sums.forEach((type, sum) ->
                table.row(type, Integer.toString(sum[0]), Integer.toString(sum[1]), Integer.toString(sum[2])));
        table.print(out());
    }

    private void list(List<JsonNode> reservations) {
        TextTable table = new TextTable(
                        "ReservationID", "Type", "S", ">Start", ">End", ">Duration", ">N/P", "StartTime")
                .spaced();
        for (JsonNode reservation : reservations) {
            Instant now = FieldText.instant(reservation, "now").orElse(Instant.EPOCH);
            Instant start = FieldText.instant(reservation, "start").orElse(now);
            table.row(
                    FieldText.text(reservation, "reservationId"),
                    type(reservation),
                    state(reservation),
                    TimeText.relative(start, now),
                    TimeText.relative(FieldText.instant(reservation, "end").orElse(now), now),
                    FieldText.span(reservation, "durationSeconds"),
                    ReservationText.nodeCount(reservation) + "/" + FieldText.text(reservation, "procs"),
                    TimeText.time(start));
        }
        table.print(out());
    }

    /** What a reservation has of a node. */
    private record Held(JsonNode reservation, long tasks) {}

    private void nodes(List<JsonNode> reservations, ClusterClient client, String cluster) {
        Map<String, List<Held>> byName = new TreeMap<>();
        for (JsonNode reservation : reservations) {
            NodeTasks tasks = new NodeTasks(reservation);
            for (String name : ReservationText.nodes(reservation)) {
                byName.computeIfAbsent(name, node -> new ArrayList<>()).add(new Held(reservation, tasks.on(name)));
            }
        }
        TextTable table = new TextTable(
                        "NodeName", "Type", "ReservationID", "JobState", ">Task", ">Start", ">Duration", "StartTime")
                .spaced();
        byName.forEach((node, those) ->
                those.forEach(held -> row(node, held.reservation(), Long.toString(held.tasks()), table)));
        List<JsonNode> counted = reservations.stream()
                .filter(reservation -> ReservationText.nodeCount(reservation).equals(FieldText.NOTHING))
                .toList();
        if (!counted.isEmpty()) {
            Optional<JsonNode> nodes = visibleNodes(client, cluster);
            counted.forEach(reservation -> row(
                    candidates(reservation, nodes), reservation, FieldText.text(reservation, "procs") + "p", table));
        }
        table.print(out());
        if (!counted.isEmpty()) {
            out().printf(
                            "%nNOTE:  (any of N): processors (p) are reserved on any of the N nodes in service; the nodes are"
                                    + " chosen when the job starts%n");
        }
    }

    /** Returns the nodes; empty when this user may not see them. */
    private static Optional<JsonNode> visibleNodes(ClusterClient client, String cluster) {
        try {
            return client.view(cluster, "nodes", "");
        } catch (ClientException e) {
            if (e.exitCode() == ExitCode.NOT_PERMITTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns the nodes that a counted reservation may get. It exists only where every node in service suits every job. */
    private static String candidates(JsonNode reservation, Optional<JsonNode> nodes) {
        String partition = FieldText.text(reservation, "partition");
        boolean confined = FieldText.has(reservation, "partition");
        StringBuilder text = new StringBuilder("(any");
        if (nodes.isPresent()) {
            int candidates = 0;
            for (JsonNode node : nodes.get()) {
                boolean suits = !confined || FieldText.text(node, "partition").equals(partition);
                candidates += suits && !OUT_OF_SERVICE.contains(FieldText.text(node, "state")) ? 1 : 0;
            }
            text.append(" of ").append(candidates);
        }
        return text.append(confined ? " in " + partition : "").append(')').toString();
    }

    private static void row(String node, JsonNode reservation, String tasks, TextTable into) {
        Instant now = FieldText.instant(reservation, "now").orElse(Instant.EPOCH);
        Instant start = FieldText.instant(reservation, "start").orElse(now);
        into.row(
                node,
                type(reservation),
                FieldText.text(reservation, "reservationId"),
                reservation.path("running").asBoolean() ? "Running" : "N/A",
                tasks,
                TimeText.relative(start, now),
                FieldText.span(reservation, "durationSeconds"),
                TimeText.time(start));
    }

    private static String type(JsonNode reservation) {
        String kind = FieldText.word(reservation, "type");
        return FieldText.text(reservation, "category") + (kind.equals("Deadline") ? ":" + kind : "");
    }

    private static String state(JsonNode reservation) {
        if (reservation.path("running").asBoolean()) {
            return "R";
        }
        return reservation.path("active").asBoolean() ? "A" : "I";
    }
}
