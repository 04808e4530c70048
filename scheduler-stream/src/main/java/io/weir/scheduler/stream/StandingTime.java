package io.weir.scheduler.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says of which clusters the time stands still. It never goes back; so where it was told by a clock that was ahead, it stands until
 * the clocks have caught up. Thread-safe.
 */
public final class StandingTime {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Stand> stands = new ConcurrentHashMap<>();

    /**
     * Where a cluster's time stands.
     *
     * @param time of the cluster
     * @param clocks what the clocks say
     */
    private record Stand(Instant time, Instant clocks) {}

    /** An iteration of {@code cluster} has the instant {@code time}, where the clocks say {@code clocks}. */
    void note(String cluster, Instant time, Instant clocks) {
        if (Duration.between(clocks, time).compareTo(PATIENCE) > 0) {
            stands.put(cluster, new Stand(time, clocks));
        } else {
            stands.remove(cluster);
        }
    }

    /** Returns what to say where the time of a cluster stands; empty where that of none does. */
    public Optional<String> obstacle() {
        return new TreeMap<>(stands)
                .entrySet().stream()
                        .map(each -> "the time of cluster '" + each.getKey() + "' stands at "
                                + each.getValue().time + ", "
                                + Duration.between(each.getValue().clocks, each.getValue().time)
                                        .toSeconds()
                                + " s ahead of the clocks: it was told by one that was ahead, and does not go back. Jobs start,"
                                + " but until the clocks have caught up nothing begins or ends by time, such as reservations,"
                                + " limits and triggers")
                        .reduce((one, other) -> one + "; " + other);
    }
}
