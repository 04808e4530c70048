package io.weir.command.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;

/** How nodes spent their time, as the scheduler answers it and as it is printed. */
final class NodeStatistics {
    private static final String NODE = "node ";

    private final PrintWriter out;

    NodeStatistics(PrintWriter out) {
        this.out = out;
    }

    /** Returns the rows of an answer as objects. */
    static ObjectNode read(JsonNode details) {
        ObjectNode statistics = JsonNodeFactory.instance.objectNode();
        RequestAnswer.rows(details, "cluster").forEach(row -> statistics.set("cluster", Figures.object(row)));
        ArrayNode categories = statistics.putArray("categories");
        RequestAnswer.rows(details, "category").forEach(row -> categories.add(Figures.object(row)));
        ArrayNode credits = statistics.putArray("credits");
        RequestAnswer.rows(details, "credit").forEach(row -> credits.add(Figures.object(row)));
        ArrayNode nodes = statistics.putArray("nodes");
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            if (name.startsWith(NODE)) {
                ObjectNode node = nodes.addObject();
                node.put("node", name.substring(NODE.length()));
                RequestAnswer.rows(details, name).forEach(row -> node.setAll(Figures.object(row)));
            }
        }
        return statistics;
    }

    /** Prints what was read, or {@code message} where no node is followed. */
    void print(ObjectNode statistics, String message) {
        JsonNode cluster = statistics.path("cluster");
        if (!cluster.isMissingNode()) {
            categories(cluster, statistics.path("categories"));
            credits(statistics.path("credits"), out);
        }
        if (statistics.path("nodes").isEmpty()) {
            out.println(message);
        } else {
            nodes(statistics.path("nodes"));
        }
    }

    private void categories(JsonNode cluster, JsonNode categories) {
        long total = cluster.path("totalSeconds").asLong();
        out.printf(
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
                    Figures.hours(line, "nodeSeconds"),
                    Figures.hours(line, "procSeconds"),
                    NumberText.percent(line.path("nodeSeconds").asLong(), total),
                    Figures.hours(line, "intervalNodeSeconds"),
                    Figures.hours(line, "lastIntervalNodeSeconds"));
        }
        table.print(out);
        long failures = cluster.path("failures").asLong();
        out.printf(
                "%nAvailability: %s  Failed: %s  Maintenance: %s  Failures: %d  MTBF: %s  MTTR: %s  BusyTime: %s%n",
                NumberText.percent(cluster.path("upSeconds").asLong(), total),
                NumberText.percent(cluster.path("failedSeconds").asLong(), total),
                NumberText.percent(cluster.path("maintenanceSeconds").asLong(), total),
                failures,
                Figures.span(cluster, "secondsBetweenFailures"),
                failures == 0 ? FieldText.NOTHING : Figures.span(cluster, "secondsToRepair"),
                busyTime(cluster));
    }

    /** Prints the node time charged to labels, each a credential of every kind; nothing where there is none. */
    static void credits(JsonNode credits, PrintWriter out) {
        if (!credits.isEmpty()) {
            out.printf("%nPseudo-credentials (NODECATCREDLIST)%n");
            TextTable table = new TextTable("Label", ">Node-Hours", ">Proc-Hours");
            for (JsonNode credit : credits) {
                table.row(
                        FieldText.text(credit, "label"),
                        Figures.hours(credit, "nodeSeconds"),
                        Figures.hours(credit, "procSeconds"));
            }
            table.print(out);
        }
    }

    private void nodes(JsonNode nodes) {
        out.println();
        TextTable table = new TextTable(
                "Node", "Category", "Since", ">Followed", ">UpTime", ">BusyTime", ">Failures", ">MTBF", ">MTTR");
        for (JsonNode node : nodes) {
            long failures = node.path("failures").asLong();
            table.row(
                    FieldText.text(node, "node"),
                    FieldText.text(node, "category"),
                    FieldText.time(node, "since"),
                    Figures.span(node, "totalSeconds"),
                    NumberText.percent(
                            node.path("upSeconds").asLong(),
                            node.path("totalSeconds").asLong()),
                    busyTime(node),
                    Long.toString(failures),
                    Figures.span(node, "secondsBetweenFailures"),
                    failures == 0 ? FieldText.NOTHING : Figures.span(node, "secondsToRepair"));
        }
        table.print(out);
    }

    /** Returns the share of the time in which jobs ran; nothing where that is not watched. */
    private static String busyTime(JsonNode of) {
        return of.has("busySeconds")
                ? NumberText.percent(
                        of.path("busySeconds").asLong(),
                        of.path("watchedSeconds").asLong())
                : FieldText.NOTHING;
    }
}
