package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition as slurmrestd tells it. Immutable.
 *
 * @param description all of it, in words that are equal while nothing of it changes
 * @param closed Slurm's reason for jobs that wait because it starts none; null where it does
 */
public record SlurmPartition(String description, @Nullable String closed) {
    static SlurmPartition of(JsonNode node) {
        List<String> states =
                new SlurmJson(node.path("state").isMissingNode() ? node.path("partition") : node).words("state");
        return new SlurmPartition(
                node.toString(),
                states.contains("DOWN") ? "PartitionDown" : states.contains("INACTIVE") ? "PartitionInactive" : null);
    }
}
