package io.weir.command.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir showstats}: how nodes spent their time. */
@Command(
        name = "showstats",
        description = {
            "Shows how nodes spent their time, by category, and how often and how long they failed.",
            "",
            "  weir showstats -n",
            "  weir showstats -n n0001",
            "",
            "Nodes are tracked while ENABLEPROFILING is set for them. The details are in the topic",
            "node-categories, with one record for each period in one category."
        })
public final class ShowstatsCommand extends ClusterCommand {
    private static final String NODE = "node ";

    @Option(
            names = "-n",
            description = "Statistics of nodes, by category, with the time charged to labels of NODECATCREDLIST.")
    private boolean nodes;

    @Parameters(arity = "0..1", paramLabel = "NODE", description = "Only this node.")
    private @Nullable String id;

    @Override
    protected void check() {
        if (!nodes) {
            throw usage("give -n for the statistics of nodes");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        JsonNode answer =
                client.ask(cluster, OperatorRequest.about(RequestKind.SHOW_NODE_STATISTICS, id == null ? "ALL" : id));
        if (!RequestAnswer.accepted(answer)) {
            err().println("ERROR:  no statistics: " + RequestAnswer.message(answer));
            return ExitCode.FAILED;
        }
        ObjectNode statistics = statistics(answer.path("details"));
        if (options().structured()) {
            print(statistics);
        } else {
            text(statistics, RequestAnswer.message(answer));
            RequestAnswer.values(answer.path("details"), "line").forEach(out()::println);
        }
        return ExitCode.FINE;
    }

    /** Returns the rows of an answer as objects. */
    private static ObjectNode statistics(JsonNode details) {
        ObjectNode statistics = JsonNodeFactory.instance.objectNode();
        RequestAnswer.rows(details, "cluster").forEach(row -> statistics.set("cluster", object(row)));
        ArrayNode categories = statistics.putArray("categories");
        RequestAnswer.rows(details, "category").forEach(row -> categories.add(object(row)));
        ArrayNode credits = statistics.putArray("credits");
        RequestAnswer.rows(details, "credit").forEach(row -> credits.add(object(row)));
        ArrayNode nodes = statistics.putArray("nodes");
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            if (name.startsWith(NODE)) {
                ObjectNode node = nodes.addObject();
                node.put("node", name.substring(NODE.length()));
                RequestAnswer.rows(details, name).forEach(row -> node.setAll(object(row)));
            }
        }
        return statistics;
    }

    private static ObjectNode object(Map<String, String> row) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        row.forEach((name, value) -> {
            if (value.matches("-?[0-9]{1,18}")) {
                object.put(name, Long.parseLong(value));
            } else {
                object.put(name, value);
            }
        });
        return object;
    }

    private void text(ObjectNode statistics, String message) {
        JsonNode cluster = statistics.path("cluster");
        if (!cluster.isMissingNode()) {
            categories(cluster, statistics.path("categories"));
            credits(statistics.path("credits"));
        }
        if (statistics.path("nodes").isEmpty()) {
            out().println(message);
        } else {
            nodes(statistics.path("nodes"));
        }
    }

    private void categories(JsonNode cluster, JsonNode categories) {
        long total = cluster.path("totalSeconds").asLong();
        out().printf(
                        "node statistics since %s: %s nodes followed%n%n",
                        FieldText.time(cluster, "since"), cluster.path("nodes").asText());
        TextTable table = new TextTable(
                "Category",
                "Class",
                ">Nodes",
                ">Entries",
                ">Node-Hours",
                ">Proc-Hours",
                ">Share",
                ">This Interval",
                ">Last Interval");
        for (JsonNode line : categories) {
            table.row(
                    FieldText.text(line, "category"),
                    FieldText.word(line, "class"),
                    line.path("nodes").asText(),
                    line.path("entries").asText(),
                    hours(line, "nodeSeconds"),
                    hours(line, "procSeconds"),
                    NumberText.percent(line.path("nodeSeconds").asLong(), total),
                    hours(line, "intervalNodeSeconds"),
                    hours(line, "lastIntervalNodeSeconds"));
        }
        table.print(out());
        long failures = cluster.path("failures").asLong();
        out().printf(
                        "%nAvailability: %s  Failed: %s  Maintenance: %s  Failures: %d  MTBF: %s  MTTR: %s  BusyTime: %s%n",
                        NumberText.percent(cluster.path("upSeconds").asLong(), total),
                        NumberText.percent(cluster.path("failedSeconds").asLong(), total),
                        NumberText.percent(cluster.path("maintenanceSeconds").asLong(), total),
                        failures,
                        span(cluster, "secondsBetweenFailures"),
                        failures == 0 ? FieldText.NOTHING : span(cluster, "secondsToRepair"),
                        busyTime(cluster));
    }

    private void credits(JsonNode credits) {
        if (!credits.isEmpty()) {
            out().printf("%nPseudo-credentials (NODECATCREDLIST)%n");
            TextTable table = new TextTable("Label", ">Node-Hours", ">Proc-Hours");
            for (JsonNode credit : credits) {
                table.row(FieldText.text(credit, "label"), hours(credit, "nodeSeconds"), hours(credit, "procSeconds"));
            }
            table.print(out());
        }
    }

    private void nodes(JsonNode nodes) {
        out().println();
        TextTable table = new TextTable(
                "Node", "Category", "Since", ">Followed", ">UpTime", ">BusyTime", ">Failures", ">MTBF", ">MTTR");
        for (JsonNode node : nodes) {
            long failures = node.path("failures").asLong();
            table.row(
                    FieldText.text(node, "node"),
                    FieldText.text(node, "category"),
                    FieldText.time(node, "since"),
                    span(node, "totalSeconds"),
                    NumberText.percent(
                            node.path("upSeconds").asLong(),
                            node.path("totalSeconds").asLong()),
                    busyTime(node),
                    Long.toString(failures),
                    span(node, "secondsBetweenFailures"),
                    failures == 0 ? FieldText.NOTHING : span(node, "secondsToRepair"));
        }
        table.print(out());
    }

    /** Returns the share of the time in which jobs ran; nothing where that is not watched. */
    private static String busyTime(JsonNode of) {
        return of.has("busySeconds")
                ? NumberText.percent(
                        of.path("busySeconds").asLong(), of.path("watchedSeconds").asLong())
                : FieldText.NOTHING;
    }

    private static String span(JsonNode of, String field) {
        return TimeText.span(Duration.ofSeconds(of.path(field).asLong()));
    }

    private static String hours(JsonNode of, String field) {
        return String.format(Locale.ROOT, "%.2f", of.path(field).asLong() / 3600.0);
    }
}
