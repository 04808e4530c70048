package io.weir.command.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** Triggers in the answer of the scheduler: where they stand, and what came of them last. */
public final class TriggerListing {
    private static final String FORMAT = "%-26s %-16s %-12s %-12s %-9s %-10s %s%n";

    private TriggerListing() {}

    /** Returns the triggers in the details of an answer, as objects. */
    public static ArrayNode triggers(JsonNode details) {
        ArrayNode triggers = JsonNodeFactory.instance.arrayNode();
        ObjectNode trigger = null;
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            String value = detail.path("value").asText();
            if (name.equals("trigger")) {
                trigger = triggers.addObject().put("id", value);
            } else if (trigger != null && !name.equals("line")) {
                trigger.put(name, value);
            }
        }
        return triggers;
    }

    /** Prints them as a table, with what else is known of each below. */
    public static void print(ArrayNode triggers, PrintWriter out) {
        out.printf(FORMAT, "TriggerID", "Object", "Event", "AType", "MultiFire", "State", "Launch");
        for (JsonNode trigger : triggers) {
            out.printf(
                    FORMAT,
                    text(trigger, "id"),
                    text(trigger, "object"),
                    text(trigger, "event"),
                    text(trigger, "type"),
                    text(trigger, "multifire"),
                    text(trigger, "state"),
                    trigger.has("fired") ? text(trigger, "fired") : text(trigger, "due"));
            for (String name : new String[] {
                "name", "action", "threshold", "offset", "requires", "sets", "unsets", "due", "output", "variables"
            }) {
                if (trigger.has(name) && !text(trigger, name).equals("0")) {
                    out.printf("    %s: %s%n", name, text(trigger, name).replace('\n', ' '));
                }
            }
        }
    }

    private static String text(JsonNode trigger, String name) {
        return trigger.has(name) ? trigger.path(name).asText() : "-";
    }
}
