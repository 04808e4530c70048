package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How the generic metrics and events of a node are written for people, a line each. */
final class GenericText {
    private GenericText() {}

    static List<String> metrics(JsonNode node) {
        List<String> lines = new ArrayList<>();
        node.path("metrics").properties().forEach(metric -> {
            JsonNode seen = node.path("metricSummaries").path(metric.getKey());
            lines.add("GMetric[" + metric.getKey() + "]: current: "
                    + number(metric.getValue())
                    + (seen.isMissingNode()
                            ? ""
                            : "  avg: " + number(seen.path("average"))
                                    + "  min: " + number(seen.path("least"))
                                    + "  max: " + number(seen.path("most"))
                                    + "  (since " + Shown.time(seen, "since") + ")"));
        });
        return lines;
    }

    static List<String> events(JsonNode node, Instant now) {
        List<String> lines = new ArrayList<>();
        for (JsonNode event : node.path("events")) {
            int severity = event.path("severity").asInt();
            lines.add("GEvent[" + Shown.text(event, "name") + "]: "
                    + (event.path("active").asBoolean() ? "active" : "over")
                    + "  count: " + Shown.text(event, "count")
                    + "  last: " + Shown.time(event, "time")
                    + " ("
                    + Shown.span(Duration.between(Shown.instant(event, "time").orElse(now), now))
                    + " ago)"
                    + (severity == 0 ? "" : "  severity: " + severity)
                    + (Shown.has(event, "text") ? "  '" + Shown.text(event, "text") + "'" : ""));
        }
        return lines;
    }

    /** Returns a number with as many digits as it needs, two behind the point at most. */
    static String number(JsonNode value) {
        double number = value.asDouble();
        String text = String.format(Locale.ROOT, "%.2f", number);
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? String.format(Locale.ROOT, "%.0f", number)
                : text;
    }
}
