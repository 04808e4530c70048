package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/** One sample of prometheus-kafka-adapter: {@code {"name", "labels", "value": "1.5", "timestamp"}}. */
final class PrometheusAdapterJson implements Format {

    @Override
    public String name() {
        return "prometheus-adapter";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (root.isArray()) {
                root.forEach(sample -> sample(sample, reading));
            } else {
                sample(root, reading);
            }
        });
        return reading;
    }

    private static void sample(JsonNode sample, Reading reading) {
        Map<String, String> labels = JsonText.labels(sample.path("labels"));
        String name = sample.path("name").asText(labels.getOrDefault("__name__", ""));
        Optional<Double> value = value(sample.path("value"));
        if (name.isEmpty() || value.isEmpty()) {
            reading.unreadable("a sample without name and value");
        } else {
            reading.add(new Observation(name, labels, value.get(), JsonText.time(sample.path("timestamp"))));
        }
    }

    private static Optional<Double> value(JsonNode node) {
        if (!node.isTextual()) {
            return JsonText.number(node);
        }
        try {
            return node.asText().length() > 64 ? Optional.empty() : Optional.of(Double.valueOf(node.asText()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
