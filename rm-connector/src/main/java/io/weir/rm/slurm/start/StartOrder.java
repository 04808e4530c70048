package io.weir.rm.slurm.start;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** By command id. */
    private final Map<String, Place> places = new HashMap<>();

    /** The commands that start something on a node, in the order in which they came, by node. */
    private final Map<String, Set<String>> byNode = new HashMap<>();

    private record Place(Set<String> nodes, boolean heterogeneous, long asked) {
        static Place of(List<StartedPart> parts, long asked) {
            return new Place(
                    parts.stream().flatMap(part -> part.nodes().stream()).collect(Collectors.toSet()),
                    parts.size() > 1,
                    asked);
        }

        Place askedAgain(long now) {
            return new Place(nodes, heterogeneous, now);
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
        Place own = take(commandId, parts);
        return own.nodes().stream().allMatch(node -> isFree(node, commandId, own, begun));
    }

    /** Says whether nothing is in the way on that node; forgets what is not to come. */
    private boolean isFree(String node, String commandId, Place own, Set<String> begun) {
        List<String> gone = new ArrayList<>();
        boolean free = true;
        for (String earlier : byNode.getOrDefault(node, Set.of())) {
            if (earlier.equals(commandId)) {
                break;
            }
            Place place = Objects.requireNonNull(places.get(earlier), "each has its place");
            if (!begun.contains(earlier) && own.asked() - place.asked() > FORGOTTEN_AFTER.toNanos()) {
                gone.add(earlier);
            } else if (place.heterogeneous() || own.heterogeneous()) {
                free = false;
                break;
            }
        }
        gone.forEach(this::over);
        return free;
    }

    private Place take(String commandId, List<StartedPart> parts) {
        long now = nanos.getAsLong();
        return Objects.requireNonNull(places.compute(commandId, (id, known) -> {
            if (known != null) {
                return known.askedAgain(now);
            }
            Place place = Place.of(parts, now);
            place.nodes()
                    .forEach(node -> byNode.computeIfAbsent(node, same -> new LinkedHashSet<>())
                            .add(id));
            return place;
        }));
    }

    /** A start has begun, asked for or not. */
    void begun(String commandId, List<StartedPart> parts) {
        take(commandId, parts);
    }

    /** The start is over, or was none. */
    void over(String commandId) {
        Place place = places.remove(commandId);
        if (place != null) {
            place.nodes()
                    .forEach(node -> byNode.computeIfPresent(node, (same, commands) -> {
                        commands.remove(commandId);
                        return commands.isEmpty() ? null : commands;
                    }));
        }
    }
}
