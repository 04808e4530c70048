package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Flat JSON rows as LDMS's store_avro_kafka writes them in its JSON mode: {@code timestamp}, {@code component_id},
 * {@code job_id}, {@code instance} or {@code producer}, and one member per metric. The producer is the host.
 */
final class LdmsJson implements Format {

    private static final List<String> HOSTS = List.of("producer", "producerName", "ProducerName", "hostname", "host");
    private static final Set<String> NO_METRICS =
            Set.of("timestamp", "component_id", "job_id", "app_id", "task_rank", "uid", "schema", "CompId");

    @Override
    public String name() {
        return "ldms";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (root.isArray()) {
                root.forEach(row -> row(row, reading));
            } else {
                row(root, reading);
            }
        });
        return reading;
    }

    /** Whether {@code root} looks like it. */
    static boolean recognises(JsonNode root) {
        JsonNode row = root.isArray() ? root.path(0) : root;
        return row.isObject()
                && row.path("timestamp").isValueNode()
                && (row.has("component_id") || HOSTS.stream().anyMatch(row::has));
    }

    private static void row(JsonNode row, Reading reading) {
        if (!recognises(row) || row.isArray()) {
            reading.unreadable("a row without timestamp and producer");
            return;
        }
        Map<String, String> labels = new HashMap<>();
        row.properties().forEach(member -> {
            if (member.getValue().isTextual() || NO_METRICS.contains(member.getKey())) {
                labels.put(member.getKey(), member.getValue().asText());
            }
        });
        HOSTS.stream()
                .filter(name -> row.path(name).isTextual())
                .findFirst()
                .ifPresent(name -> labels.put("host", row.path(name).asText()));
        Map<String, String> shared = Map.copyOf(labels);
        Optional<Instant> time = JsonText.time(row.path("timestamp"));
        row.properties().forEach(member -> {
            if (!NO_METRICS.contains(member.getKey())) {
                JsonText.number(member.getValue())
                        .ifPresent(value -> reading.add(new Observation(member.getKey(), shared, value, time)));
            }
        });
    }
}
