package io.weir.monitoring.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads JSON within bounds of depth and length, and takes from it what the formats share. Stateless. */
final class JsonText {

    private static final int MOST_LABELS = 1_000;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(32)
                            .maxStringLength(1 << 20)
                            .maxNumberLength(64)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .build();

    private JsonText() {}

    /** Returns what {@code message} says; empty, with the reason in {@code reading}, when it is no JSON. */
    static Optional<JsonNode> parse(byte[] message, Reading reading) {
        try {
            JsonNode node = MAPPER.readTree(message);
            if (node == null || !node.isContainerNode()) {
                reading.unreadable("no JSON object or array");
                return Optional.empty();
            }
            return Optional.of(node);
        } catch (IOException e) {
            reading.unreadable("no JSON: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            return Optional.empty();
        }
    }

    /** Returns the members of {@code object} that are texts, numbers or truth values; immutable. */
    static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new HashMap<>();
        object.properties().forEach(member -> {
            if (member.getValue().isValueNode() && !member.getValue().isNull() && labels.size() < MOST_LABELS) {
                labels.put(member.getKey(), member.getValue().asText());
            }
        });
        return Map.copyOf(labels);
    }

    /** Returns the value of {@code node} as a number; a truth value is 1 or 0. Empty for anything else. */
    static Optional<Double> number(JsonNode node) {
        if (node.isNumber()) {
            return Optional.of(node.doubleValue());
        }
        if (node.isBoolean()) {
            return Optional.of(node.booleanValue() ? 1.0 : 0.0);
        }
        return Optional.empty();
    }

    /** Returns the time that {@code node} says, as a text or as a number. */
    static Optional<Instant> time(JsonNode node) {
        if (node.isNumber() && Double.isFinite(node.doubleValue())) {
            return Times.ofNumber(node.decimalValue());
        }
        return node.isTextual() ? Times.ofText(node.asText()) : Optional.empty();
    }
}
