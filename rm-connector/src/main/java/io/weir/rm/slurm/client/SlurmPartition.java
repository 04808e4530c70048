package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition as slurmrestd tells it. Immutable.
 *
 * @param description all of it, in words that are equal while nothing of it changes
 * @param closed Slurm's reason for jobs that wait because it starts none; null where it does
 * @param qos the QOS whose limits hold for all of its jobs together; null for none
 */
public record SlurmPartition(
        String description,
        @Nullable String closed,
        @Nullable String qos) {
    static SlurmPartition of(JsonNode node) {
        List<String> states =
                new SlurmJson(node.path("state").isMissingNode() ? node.path("partition") : node).words("state");
        return new SlurmPartition(
                node.toString(),
                states.contains("DOWN") ? "PartitionDown" : states.contains("INACTIVE") ? "PartitionInactive" : null,
                qos(node.path("qos")));
    }

    private static @Nullable String qos(JsonNode told) {
        String name = told.isObject() ? told.path("assigned").asText("") : told.asText("");
        return name.isEmpty() ? null : name;
    }
}
