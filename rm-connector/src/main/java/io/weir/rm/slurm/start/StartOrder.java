package io.weir.rm.slurm.start;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Which starts have to wait for others. Slurm's backfill scheduler sets whole nodes aside for components that it has not
 * started, so that two heterogeneous jobs on the same node, or one and another job, could wait for each other for ever. Of
 * starts on the same node, one of them of a heterogeneous job, the later one therefore begins when the earlier one is over.
 * One thread.
 */
final class StartOrder {
    /** A start that was put off and is not asked for again is not to come. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

    private final LongSupplier nanos;

    /** By command id, in the order in which they came. */
    private final Map<String, Place> places = new LinkedHashMap<>();

    private record Place(Set<String> nodes, boolean heterogeneous, long asked) {
        static Place of(List<StartedPart> parts, long asked) {
            return new Place(
                    parts.stream().flatMap(part -> part.nodes().stream()).collect(Collectors.toSet()),
                    parts.size() > 1,
                    asked);
        }

        boolean isInTheWayOf(Place later) {
            return (heterogeneous || later.heterogeneous) && nodes.stream().anyMatch(later.nodes::contains);
        }
    }

    StartOrder(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Says whether a start may begin now; whether or not, it has its place among the others from now on.
     *
     * @param begun those that have begun
     */
    boolean mayBegin(String commandId, List<StartedPart> parts, Set<String> begun) {
        long now = nanos.getAsLong();
        places.entrySet()
                .removeIf(place -> !begun.contains(place.getKey())
                        && now - place.getValue().asked() > FORGOTTEN_AFTER.toNanos());
        Place own = Place.of(parts, now);
        places.put(commandId, own);
        for (Map.Entry<String, Place> earlier : places.entrySet()) {
            if (earlier.getKey().equals(commandId)) {
                return true;
            }
            if (earlier.getValue().isInTheWayOf(own)) {
                return false;
            }
        }
        return true;
    }

    /** A start has begun, asked for or not. */
    void begun(String commandId, List<StartedPart> parts) {
        places.putIfAbsent(commandId, Place.of(parts, nanos.getAsLong()));
    }

    /** The start is over, or was none. */
    void over(String commandId) {
        places.remove(commandId);
    }
}
