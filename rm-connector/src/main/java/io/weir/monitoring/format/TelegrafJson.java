package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Telegraf's JSON: {@code {"fields", "name", "tags", "timestamp"}}, single or a batch in {@code metrics}. */
final class TelegrafJson implements Format {

    @Override
    public String name() {
        return "telegraf";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (root.path("metrics").isArray()) {
                root.path("metrics").forEach(metric -> metric(metric, reading));
            } else if (root.isArray()) {
                root.forEach(metric -> metric(metric, reading));
            } else {
                metric(root, reading);
            }
        });
        return reading;
    }

    /** Whether {@code root} looks like it. */
    static boolean recognises(JsonNode root) {
        JsonNode first = root.path("metrics").isArray() ? root.path("metrics").path(0) : root;
        return first.path("fields").isObject() && first.path("name").isTextual();
    }

    private static void metric(JsonNode metric, Reading reading) {
        if (!recognises(metric)) {
            reading.unreadable("a metric without name and fields");
            return;
        }
        String measurement = metric.path("name").asText();
        Map<String, String> tags = JsonText.labels(metric.path("tags"));
        Optional<Instant> time = JsonText.time(metric.path("timestamp"));
        metric.path("fields").properties().forEach(field -> {
            String name = field.getKey().equals("value") ? measurement : measurement + "_" + field.getKey();
            JsonText.number(field.getValue()).ifPresent(value -> reading.add(new Observation(name, tags, value, time)));
        });
    }
}
