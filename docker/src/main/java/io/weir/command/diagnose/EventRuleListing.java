package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;

/** Events that the configuration acts on, by object: how often they occurred since they fired last, when they rearm. */
final class EventRuleListing {
    private EventRuleListing() {}

    /** Returns the events in the details of an answer, as objects. */
    static ArrayNode events(JsonNode details) {
        ArrayNode events = JsonNodeFactory.instance.arrayNode();
        ObjectNode event = null;
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            String value = detail.path("value").asText();
            if (name.equals("event")) {
                event = events.addObject().put("event", value);
            } else if (name.equals("line")) {
                events.addObject().put("line", value);
            } else if (event != null) {
                event.put(name, value);
            }
        }
        return events;
    }

    /** Prints them as a table; nothing where there are none. */
    static void print(JsonNode events, PrintWriter out) {
        if (events.isEmpty()) {
            return;
        }
        TextTable table = new TextTable("Object", "GEvent", "State", ">Counter", ">Total", "Fired", "Rearms");
        for (JsonNode event : events) {
            if (event.has("line")) {
                table.below(event.path("line").asText());
            } else {
                table.row(
                        FieldText.text(event, "object"),
                        FieldText.text(event, "event"),
                        event.path("active").asText().equals("true") ? "Active" : "Over",
                        FieldText.text(event, "counted") + "/" + FieldText.text(event, "needed"),
                        FieldText.text(event, "total"),
                        FieldText.time(event, "fired"),
                        rearms(event));
            }
        }
        out.printf("%nActed on (occurrences since it fired/needed to fire):%n");
        table.print(out);
    }

    private static String rearms(JsonNode event) {
        return event.path("rearms").asText().equals("never") ? "never" : FieldText.time(event, "rearms");
    }
}
