package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Generic metrics of the nodes.
 *
 * @param id only those of this node; null for all
 */
record MetricDiagnosis(@Nullable String id) implements Diagnosis {
    @Override
    public String what() {
        return "node with metrics";
    }

    @Override
    public JsonNode read(Views views) {
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        for (JsonNode node : views.all("nodes")) {
            if ((id == null || id.equals(node.path("nodeId").asText()))
                    && !node.path("metrics").isEmpty()) {
                nodes.addObject().put("nodeId", node.path("nodeId").asText()).set("metrics", node.path("metrics"));
            }
        }
        return nodes;
    }

    @Override
    public void print(JsonNode nodes, PrintWriter out) {
        Listing table = new Listing("Node", "GMetric", ">Current");
        int metrics = 0;
        for (JsonNode node : nodes) {
            node.path("metrics")
                    .properties()
                    .forEach(metric -> table.row(
                            Shown.text(node, "nodeId"),
                            metric.getKey(),
                            metric.getValue().asText()));
            metrics += node.path("metrics").size();
        }
        table.print(out);
        out.printf("%nTotal Metrics: %d%n", metrics);
    }
}
