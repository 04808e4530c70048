package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.PolicyLines;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Generic metrics and events of the nodes, and what is configured for events.
 *
 * @param id only those of this node; null for all
 */
record MetricDiagnosis(@Nullable String id) implements DiagnosisReport {
    @Override
    public String what() {
        return "node with metrics or events";
    }

    @Override
    public JsonNode read(Views views) {
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        for (JsonNode node : views.all("nodes")) {
            boolean empty =
                    node.path("metrics").isEmpty() && node.path("events").isEmpty();
            if (id == null ? !empty : id.equals(node.path("nodeId").asText())) {
                ObjectNode shown =
                        nodes.addObject().put("nodeId", node.path("nodeId").asText());
                shown.set("metrics", node.path("metrics"));
                shown.set("metricSummaries", node.path("metricSummaries"));
                shown.set("events", node.path("events"));
            }
        }
        if (id != null && nodes.isEmpty()) {
            return nodes;
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.set("nodes", nodes);
        if (id != null) {
            return all;
        }
        ArrayNode lines = all.putArray("configuration");
        views.configured("GEVENTCFG").forEach(lines::add);
        return all;
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        JsonNode nodes = read.path("nodes");
        metrics(nodes, out);
        out.println();
        events(nodes, out);
        EventRuleListing.print(read.path("rules"), out);
        if (read.has("configuration")) {
            PolicyLines.print(read.path("configuration"), out);
        }
    }

    private static void metrics(JsonNode nodes, PrintWriter out) {
        TextTable table = new TextTable("Node", "GMetric", ">Current", ">Average", ">Minimum", ">Maximum", "Since");
        int metrics = 0;
        for (JsonNode node : nodes) {
            node.path("metrics").properties().forEach(metric -> {
                JsonNode seen = node.path("metricSummaries").path(metric.getKey());
                table.row(
                        FieldText.text(node, "nodeId"),
                        metric.getKey(),
                        NumberText.number(metric.getValue()),
                        number(seen, "average"),
                        number(seen, "least"),
                        number(seen, "most"),
                        FieldText.time(seen, "since"));
            });
            metrics += node.path("metrics").size();
        }
        table.print(out);
        out.printf("%nTotal Metrics: %d%n", metrics);
    }

    private static String number(JsonNode of, String field) {
        return FieldText.has(of, field) ? NumberText.number(of.path(field)) : FieldText.NOTHING;
    }

    private static void events(JsonNode nodes, PrintWriter out) {
        TextTable table = new TextTable("Node", "GEvent", "State", ">Count", ">Severity", "Last", "Text");
        int events = 0;
        for (JsonNode node : nodes) {
            for (JsonNode event : node.path("events")) {
                int severity = event.path("severity").asInt();
                table.row(
                        FieldText.text(node, "nodeId"),
                        FieldText.text(event, "name"),
                        event.path("active").asBoolean() ? "Active" : "Over",
                        FieldText.text(event, "count"),
                        severity == 0 ? FieldText.NOTHING : Integer.toString(severity),
                        FieldText.time(event, "time"),
                        FieldText.text(event, "text"));
                events++;
            }
        }
        table.print(out);
        out.printf("%nTotal Events: %d%n", events);
    }
}
