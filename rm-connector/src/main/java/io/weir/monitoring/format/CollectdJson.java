package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * collectd's JSON, of its plugins write_kafka and write_http: an array of value lists. The name is plugin, plugin instance,
 * type, type instance and, where a list has several values, the value's name, as far as they are there.
 */
final class CollectdJson implements Format {

    @Override
    public String name() {
        return "collectd";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (root.isArray()) {
                root.forEach(list -> values(list, reading));
            } else {
                values(root, reading);
            }
        });
        return reading;
    }

    private static void values(JsonNode list, Reading reading) {
        if (!list.path("values").isArray() || !list.path("plugin").isTextual()) {
            reading.unreadable("a value list without plugin and values");
            return;
        }
        Map<String, String> labels = new HashMap<>(JsonText.labels(list));
        labels.remove("time");
        labels.remove("interval");
        Map<String, String> shared = Map.copyOf(labels);
        Optional<Instant> time = JsonText.time(list.path("time"));
        StringBuilder name = new StringBuilder(list.path("plugin").asText());
        for (String part : new String[] {"plugin_instance", "type", "type_instance"}) {
            String text = list.path(part).asText("");
            if (!text.isEmpty()
                    && !(part.equals("type") && text.equals(list.path("plugin").asText()))) {
                name.append('_').append(text);
            }
        }
        for (int i = 0; i < list.path("values").size(); i++) {
            String source = list.path("dsnames").path(i).asText("value");
            String full = source.equals("value") ? name.toString() : name + "_" + source;
            JsonText.number(list.path("values").path(i))
                    .ifPresent(value -> reading.add(new Observation(full, shared, value, time)));
        }
    }
}
