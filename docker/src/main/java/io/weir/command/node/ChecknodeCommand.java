package io.weir.command.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir checknode}: one node. */
@Command(name = "checknode", description = "Shows nodes: state, resources, details, jobs and reservations.")
public final class ChecknodeCommand extends ClusterCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "NODE",
            description =
                    "Nodes: names, n[1-3,7] or r:n1-n3 by number, a regular expression of the whole name, or ALL.")
    private List<String> nodes = List.of();

    private NodeChoice choice = new NodeChoice(List.of());

    @Option(names = "-v", description = "Also show empty attributes.")
    private boolean[] verbose = {};

    @Override
    protected String xmlItem() {
        return "node";
    }

    @Override
    protected void check() {
        try {
            choice = NodeChoice.of(nodes);
        } catch (BadInputException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /** One node is an object, several are an array. Of several what is published has to do: each question is recorded in the journal. */
    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        Map<String, JsonNode> chosen = choice.among(new Views(client, cluster));
        ArrayNode shown = JsonNodeFactory.instance.arrayNode();
        for (Map.Entry<String, JsonNode> each : chosen.entrySet()) {
            String id = each.getKey();
            ObjectNode node = (each.getValue().isMissingNode()
                            ? one(client, cluster, "nodes", id, "node")
                            : each.getValue())
                    .deepCopy();
            if (chosen.size() == 1) {
                ask(client, cluster, id, node);
            }
            if (options().structured()) {
                shown.add(node);
            } else {
                out().print(shown.isEmpty() ? "" : System.lineSeparator());
                shown.add(id);
                text(node);
            }
        }
        if (options().structured()) {
            print(shown.size() == 1 ? shown.get(0) : shown);
        }
        return ExitCode.FINE;
    }

    /** Asks the scheduler for what is not published with a node; without an answer that is left out. */
    private void ask(ClusterClient client, String cluster, String id, ObjectNode node) {
        try {
            JsonNode answer = client.ask(cluster, OperatorRequest.about(RequestKind.SHOW_NODE, id));
            if (RequestAnswer.accepted(answer)) {
                node.set("details", answer.path("details"));
            }
        } catch (ClientException e) {
            if (e.exitCode() != ExitCode.UNREACHABLE) {
                err().println("weir: what was published has to do: " + e.getMessage());
            }
        }
    }

    private void text(JsonNode node) {
        PrintWriter out = out();
        Instant now = FieldText.instant(node, "now").orElse(Instant.EPOCH);
        out.printf("node %s%n%n", FieldText.text(node, "nodeId"));
        out.printf(
                "State:      %s  (in current state for %s)%s%n",
                FieldText.word(node, "shownState"),
                FieldText.span(node, "stateSeconds"),
                node.path("failing").asBoolean() ? "  FAILING" : "");
        line("Reason", FieldText.text(node, "reason"));
        resources(node, "Configured", "configured");
        resources(node, "Utilized  ", "utilized");
        resources(node, "Dedicated ", "dedicated");
        resources(node, "Available ", "available");
        StringBuilder policies = new StringBuilder();
        node.path("resources")
                .properties()
                .forEach(resource -> policies.append(policies.isEmpty() ? "" : "  ")
                        .append(resource.getKey())
                        .append(": ")
                        .append(FieldText.text(resource.getValue(), "policy")));
        line("Availability Policy", policies.isEmpty() ? FieldText.NOTHING : policies.toString());
        line("Generic Resources", FieldText.list(node, "gres"));
        out.printf(
                "Opsys: %s  Arch: %s  Speed: %s  CPULoad: %s%s%n",
                FieldText.text(node, "os"),
                FieldText.text(node, "arch"),
                FieldText.text(node, "speed"),
                FieldText.load(node),
                bump(node));
        line("NodeType", FieldText.text(node, "nodeType"));
        line(
                "ProcSpeed",
                FieldText.has(node, "procSpeedMhz")
                        ? FieldText.text(node, "procSpeedMhz") + " MHz"
                        : FieldText.NOTHING);
        out.printf(
                "Partition: %s  Rack/Slot: %s/%s  NodeIndex: %s%n",
                FieldText.text(node, "partition"),
                FieldText.text(node, "rack"),
                FieldText.text(node, "slot"),
                FieldText.text(node, "index"));
        line("Features", FieldText.list(node, "features"));
        line("Classes", FieldText.list(node, "classes"));
        line("Network", FieldText.list(node, "networks"));
        line(
                "Power",
                !node.has("poweredOn")
                        ? FieldText.NOTHING
                        : node.path("poweredOn").asBoolean() ? "On" : "Off");
        line("NodeAccess", FieldText.text(node, "nodeAccess"));
        category(node, out);
        planning(node);
        line("Node Sets", FieldText.list(node, "nodeSets"));
        line("Priority", FieldText.text(node, "priority"));
        line("PriorityF", FieldText.text(node, "priorityFunction"));
        line("MaxLoad", node.path("maxLoad").asDouble() > 0 ? FieldText.text(node, "maxLoad") : FieldText.NOTHING);
        line("ChargeRate", FieldText.text(node, "chargeRate"));
        line("Comment", FieldText.text(node, "comment"));
        line("Variables", FieldText.list(node, "variables"));
        line("Attached by operators", FieldText.list(node, "marks"));
        NodeHistoryText.messages(node).forEach(out::println);
        NodeHistoryText.metrics(node).forEach(out::println);
        NodeHistoryText.events(node, now).forEach(out::println);
        times(node.path("details"), out);
        jobs(node, now, out);
        node.path("warnings").forEach(warning -> out.println("WARNING:  " + warning.asText()));
    }

    /** The category, what put the node there and since when; where its history is kept, how long it was in which. */
    private void category(JsonNode node, PrintWriter out) {
        line("Category", NodeHistoryText.category(node));
        JsonNode details = node.path("details");
        RequestAnswer.values(details, "categorySince").forEach(since -> out.println("  since " + time(since)));
        List<Map<String, String>> spent = RequestAnswer.rows(details, "spent");
        long total = 0;
        for (Map<String, String> each : spent) {
            total += Long.parseLong(each.getOrDefault("seconds", "0"));
        }
        for (Map<String, String> each : spent) {
            long seconds = Long.parseLong(each.getOrDefault("seconds", "0"));
            out.printf(
                    "  %-22s %s (%s)  entered: %s%n",
                    each.getOrDefault("category", ""),
                    TimeText.span(Duration.ofSeconds(seconds)),
                    NumberText.percent(seconds, total),
                    each.getOrDefault("entries", ""));
        }
    }

    private static String time(String instant) {
        return TimeText.time(Instant.parse(instant));
    }

    /** From when on jobs are planned on a node that takes none now; the scheduler alone knows. */
    private void planning(JsonNode node) {
        RequestAnswer.values(node.path("details"), "plannedFrom").stream()
                .findFirst()
                .ifPresent(from -> {
                    String state = node.path("failing").asBoolean() ? "failing" : FieldText.word(node, "state");
                    line(
                            "Planned as unavailable until",
                            from.isEmpty()
                                    ? "INFINITY  (no job is planned on the node while it is " + state + ")"
                                    : time(from) + "  (" + state + ")");
                });
    }

    /** How the node spent the time since it is watched. */
    private static void times(JsonNode details, PrintWriter out) {
        detail(details, "totalSeconds").ifPresent(total -> {
            double up = detail(details, "upSeconds").orElse(0.0);
            double busy = detail(details, "busySeconds").orElse(0.0);
            out.printf(
                    "Total Time: %s  Up: %s (%s)  Busy: %s (%s)%n",
                    TimeText.span(Duration.ofSeconds(total.longValue())),
                    TimeText.span(Duration.ofSeconds((long) up)),
                    NumberText.percent((long) up, total.longValue()),
                    TimeText.span(Duration.ofSeconds((long) busy)),
                    NumberText.percent((long) busy, total.longValue()));
        });
        double failures = detail(details, "failures").orElse(0.0);
        detail(details, "secondsBetweenFailures")
                .or(() -> detail(details, "totalSeconds"))
                .ifPresent(between -> out.printf(
                        "MTBF: %s  (failures: %.0f)%n",
                        TimeText.span(Duration.ofSeconds(between.longValue())), failures));
    }

    /** What placement adds to the load for jobs that were started since it was measured. */
    private static String bump(JsonNode node) {
        double measured = node.path("load").asDouble();
        return detail(node.path("details"), "assumedLoad")
                .filter(assumed -> assumed > measured)
                .map(assumed -> String.format(
                        Locale.ROOT, " (counts as %.2f: %.2f for jobs started since)", assumed, assumed - measured))
                .orElse("");
    }

    private static Optional<Double> detail(JsonNode details, String name) {
        return RequestAnswer.values(details, name).stream().findFirst().map(Double::valueOf);
    }

    private static void jobs(JsonNode node, Instant now, PrintWriter out) {
        out.printf("%nReservations:%n");
        if (node.path("jobs").isEmpty() && node.path("reservations").isEmpty()) {
            out.println("  none");
            return;
        }
        TextTable table =
                new TextTable("  Reservation", "Type", ">Procs", ">Start", "", ">End", ">Duration", "For").silent();
        for (JsonNode job : node.path("jobs")) {
            row(job, "jobId", "Job:Running", "user " + FieldText.text(job, "user"), now, table);
        }
        for (JsonNode reservation : node.path("reservations")) {
            String type = FieldText.word(reservation, "type")
                    + (reservation.path("active").asBoolean() ? ":Active" : "");
            String job = FieldText.has(reservation, "jobId") ? "job " + FieldText.text(reservation, "jobId") : "";
            row(reservation, "reservationId", type, job, now, table);
        }
        table.print(out);
        for (JsonNode step : node.path("blocked")) {
            long procs = node.path("procs").asLong();
            long held = step.path("procs").asLong();
            out.printf(
                    "Blocked Resources@%s  Procs: %d/%d (%s)%n",
                    TimeText.relative(FieldText.instant(step, "from").orElse(now), now),
                    held,
                    procs,
                    NumberText.percent(held, procs));
        }
    }

    private static void row(JsonNode of, String id, String type, String who, Instant now, TextTable into) {
        Instant start = FieldText.instant(of, "start").orElse(now);
        Instant end = FieldText.instant(of, "end").orElse(now);
        into.row(
                "  " + FieldText.text(of, id),
                type,
                FieldText.text(of, "procs") + "x PROCS",
                TimeText.relative(start, now),
                "->",
                TimeText.relative(end, now),
                "(" + TimeText.span(Duration.between(start, end)) + ")",
                who);
    }

    private void line(String label, String text) {
        if (verbose.length > 0 || !text.equals(FieldText.NOTHING)) {
            out().printf("%s: %s%n", label, text);
        }
    }

    private void resources(JsonNode node, String label, String field) {
        StringBuilder text = new StringBuilder();
        node.path("resources").properties().forEach(resource -> {
            JsonNode amount = resource.getValue().path(field);
            boolean procs = resource.getKey().equals("PROC");
            text.append(text.isEmpty() ? "" : "  ")
                    .append(procs ? "PROCS" : resource.getKey())
                    .append(": ")
                    .append(
                            amount.isFloatingPointNumber()
                                    ? String.format(Locale.ROOT, procs ? "%.2f" : "%.0f", amount.asDouble())
                                    : amount.asText())
                    .append(procs ? "" : "M");
        });
        out().printf("%s Resources: %s%n", label, text.isEmpty() ? FieldText.NOTHING : text);
    }
}
