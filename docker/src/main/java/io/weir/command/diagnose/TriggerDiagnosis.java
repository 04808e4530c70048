package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** {@code weir mdiag -T}: triggers, where they stand, and what came of them last. */
final class TriggerDiagnosis {
    private static final String FORMAT = "%-26s %-16s %-12s %-12s %-9s %-10s %s%n";

    private TriggerDiagnosis() {}

    /** Returns the triggers in the details of an answer, as objects. */
    static ArrayNode triggers(JsonNode details) {
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

    static void print(ArrayNode triggers, PrintWriter out) {
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
