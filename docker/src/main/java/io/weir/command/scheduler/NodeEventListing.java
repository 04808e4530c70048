package io.weir.command.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;

/** Lists the generic events of nodes. */
final class NodeEventListing {
    private NodeEventListing() {}

    /** Returns the events of {@code nodes}, each with the node it happened to, in the order of the nodes. */
    static ArrayNode events(JsonNode nodes) {
        ArrayNode events = JsonNodeFactory.instance.arrayNode();
        for (JsonNode node : nodes) {
            for (JsonNode each : node.path("events")) {
                ObjectNode shown = events.addObject().put("object", "node:" + FieldText.text(node, "nodeId"));
                each.properties().forEach(field -> shown.set(field.getKey(), field.getValue()));
            }
        }
        return events;
    }

    /** Prints {@code events} as a table. */
    static void print(ArrayNode events, PrintWriter out) {
        TextTable table = new TextTable("Object", "GEvent", "State", ">Count", "Last", "Text");
        for (JsonNode each : events) {
            table.row(
                    FieldText.text(each, "object"),
                    FieldText.text(each, "name"),
                    each.path("active").asBoolean() ? "Active" : "Over",
                    FieldText.text(each, "count"),
                    FieldText.time(each, "time"),
                    FieldText.text(each, "text"));
        }
        table.print(out);
        out.printf("%d events%n", events.size());
    }
}
