package io.weir.command.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How the generic metrics and events of a node are written for people, a line each. */
public final class NodeHistoryText {
    private NodeHistoryText() {}

    /** Returns the category of a node, with what put it there. */
    public static String category(JsonNode node) {
        String rule = FieldText.has(node, "categoryRule") ? "; rule " + FieldText.text(node, "categoryRule") : "";
        return FieldText.text(node, "category")
                + (FieldText.has(node, "categorySource")
                        ? "  (" + FieldText.text(node, "categorySource") + rule + ")"
                        : "");
    }

    /** Returns the generic metrics of a node. */
    public static List<String> metrics(JsonNode node) {
        List<String> lines = new ArrayList<>();
        node.path("metrics").properties().forEach(metric -> {
            JsonNode seen = node.path("metricSummaries").path(metric.getKey());
            lines.add("GMetric[" + metric.getKey() + "]: current: "
                    + NumberText.number(metric.getValue())
                    + (seen.isMissingNode()
                            ? ""
                            : "  avg: " + NumberText.number(seen.path("average"))
                                    + "  min: " + NumberText.number(seen.path("least"))
                                    + "  max: " + NumberText.number(seen.path("most"))
                                    + "  (since " + FieldText.time(seen, "since") + ")"));
        });
        return lines;
    }

    /** Returns the messages of a node, with who said them, how often, how much they matter and until when where that is known. */
    public static List<String> messages(JsonNode node) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < node.path("messages").size(); i++) {
            JsonNode said = node.path("messageTallies").path(i);
            lines.add(
                    "Message[" + (i + 1) + "]: " + node.path("messages").path(i).asText()
                            + (said.isMissingNode()
                                    ? ""
                                    : "  (" + FieldText.text(said, "source")
                                            + "  count: " + FieldText.text(said, "count")
                                            + "  since: " + FieldText.time(said, "firstTime")
                                            + "  last: " + FieldText.time(said, "time")
                                            + priority(said)
                                            + (FieldText.has(said, "expireTime")
                                                    ? "  expires: " + FieldText.time(said, "expireTime")
                                                    : "")
                                            + ")"));
        }
        return lines;
    }

    private static String priority(JsonNode said) {
        int priority = said.path("priority").asInt();
        return priority == 0 ? "" : "  priority: " + priority;
    }

    /** Returns the generic events of a node; ages are relative to {@code now}. */
    public static List<String> events(JsonNode node, Instant now) {
        List<String> lines = new ArrayList<>();
        for (JsonNode event : node.path("events")) {
            int severity = event.path("severity").asInt();
            lines.add("GEvent[" + FieldText.text(event, "name") + "]: "
                    + (event.path("active").asBoolean() ? "active" : "over")
                    + "  count: " + FieldText.text(event, "count")
                    + "  last: " + FieldText.time(event, "time")
                    + " ("
                    + TimeText.span(
                            Duration.between(FieldText.instant(event, "time").orElse(now), now))
                    + " ago)"
                    + (severity == 0 ? "" : "  severity: " + severity)
                    + (FieldText.has(event, "text") ? "  '" + FieldText.text(event, "text") + "'" : ""));
        }
        return lines;
    }
}
