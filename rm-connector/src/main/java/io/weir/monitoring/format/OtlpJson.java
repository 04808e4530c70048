package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * OpenTelemetry's metrics in JSON, as the collector's Kafka exporter writes them: gauges and sums. The resource's
 * {@code host.name} is the host.
 */
final class OtlpJson implements Format {

    /** Attributes of a resource, or of a point, that are kept besides the host. */
    private static final int MOST_ATTRIBUTES = 32;

    @Override
    public String name() {
        return "otlp_json";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (!root.path("resourceMetrics").isArray()) {
                reading.unreadable("no resourceMetrics");
                return;
            }
            root.path("resourceMetrics").forEach(resource -> {
                Map<String, String> labels =
                        attributes(resource.path("resource").path("attributes"));
                resource.path("scopeMetrics")
                        .forEach(scope -> scope.path("metrics").forEach(metric -> metric(metric, labels, reading)));
            });
        });
        return reading;
    }

    private static void metric(JsonNode metric, Map<String, String> resource, Reading reading) {
        String name = metric.path("name").asText("");
        JsonNode points = metric.has("gauge")
                ? metric.path("gauge").path("dataPoints")
                : metric.path("sum").path("dataPoints");
        if (name.isEmpty() || !points.isArray()) {
            reading.unreadable("a metric that is neither gauge nor sum");
            return;
        }
        points.forEach(point -> {
            Map<String, String> labels = both(resource, attributes(point.path("attributes")));
            Optional<Double> value =
                    point.has("asDouble") ? JsonText.number(point.path("asDouble")) : integer(point.path("asInt"));
            if (value.isEmpty()) {
                reading.unreadable(
                        "a data point of " + (name.length() > 80 ? name.substring(0, 80) : name) + " without value");
            } else {
                reading.add(new Observation(name, labels, value.get(), JsonText.time(point.path("timeUnixNano"))));
            }
        });
    }

    private static Map<String, String> attributes(JsonNode attributes) {
        Map<String, String> labels = new HashMap<>();
        attributes.forEach(attribute -> attribute.path("value").properties().stream()
                .filter(value -> value.getValue().isValueNode())
                .findFirst()
                .ifPresent(value -> {
                    String key = attribute.path("key").asText();
                    String text = value.getValue().asText();
                    if (key.equals("host.name")) {
                        labels.put("host", text);
                    }
                    if (labels.size() <= MOST_ATTRIBUTES) {
                        labels.put(key, text);
                    }
                }));
        return Map.copyOf(labels);
    }

    /** Returns what the resource and one of its points say; what the point says counts. */
    private static Map<String, String> both(Map<String, String> resource, Map<String, String> point) {
        if (point.isEmpty()) {
            return resource;
        }
        Map<String, String> both = new HashMap<>(resource);
        both.putAll(point);
        return Map.copyOf(both);
    }

    /** In Protobuf's JSON a 64-bit integer is a text. */
    private static Optional<Double> integer(JsonNode node) {
        try {
            return node.isTextual() && node.asText().length() <= 20
                    ? Optional.of((double) Long.parseLong(node.asText()))
                    : JsonText.number(node);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
