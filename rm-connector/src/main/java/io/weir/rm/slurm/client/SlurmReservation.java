package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as slurmrestd tells it. Immutable.
 *
 * @param name its name
 * @param nodes names of its nodes, sorted
 * @param start when it begins; null when that is not told
 * @param end when it ends; null for never
 * @param flexible whether its jobs may also run elsewhere, and before it begins
 */
public record SlurmReservation(
        String name,
        Set<String> nodes,
        @Nullable Instant start,
        @Nullable Instant end,
        boolean flexible) {
    static SlurmReservation of(JsonNode node) {
        SlurmJson json = new SlurmJson(node);
        String name = json.text("name");
        String nodes = json.text("node_list");
        return new SlurmReservation(
                name == null ? "" : name,
                new TreeSet<>(HostList.expand(nodes == null ? "" : nodes)),
                json.instant("start_time"),
                json.instant("end_time"),
                json.words("flags").contains("FLEX"));
    }

    /** Says whether it keeps its nodes at some time between these two. */
    public boolean overlaps(Instant from, Instant until) {
        return (start == null || start.isBefore(until)) && (end == null || end.isAfter(from));
    }
}
