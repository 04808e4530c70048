package io.weir.command.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/**
 * How many tasks a job or a reservation has on each node; processors on nodes of which it is not known how they make up
 * tasks. Either may be on all nodes of a cluster.
 */
public final class NodeTasks {
    private final Map<String, Long> tasks;
    private final Map<String, Long> procs;

    /** Reads the placements and the allocation of {@code holder}. */
    public NodeTasks(JsonNode holder) {
        tasks = sums(holder.path("placements"), "tasks");
        procs = sums(holder.path("allocation"), "procs");
    }

    /** Returns how many there are on {@code node}. */
    public long on(String node) {
        long placed = tasks.getOrDefault(node, 0L);
        return placed > 0 ? placed : procs.getOrDefault(node, 0L);
    }

    private static Map<String, Long> sums(JsonNode parts, String field) {
        Map<String, Long> sums = new HashMap<>();
        for (JsonNode part : parts) {
            sums.merge(part.path("nodeId").asText(), part.path(field).asLong(), Long::sum);
        }
        return sums;
    }
}
