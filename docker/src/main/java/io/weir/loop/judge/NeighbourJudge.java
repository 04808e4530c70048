package io.weir.loop.judge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges that clusters go on whatever happens to another: they iterate within a bound, at all times, unless something is
 * wrong with what all of them need.
 */
public final class NeighbourJudge {
    /** Longest time between two iterations: a connector tells of its machine every two seconds. */
    private static final long PROMPT_MICROS = 6_000_000;

    /** The same after trouble with what is shared: sessions, transactions and clocks have to come right. */
    private static final long RECOVERY_MICROS = 24_000_000;

    private final CommittedRecords committed;
    private final List<String> neighbours;
    private final Charges charges;
    private final Map<String, Seen> seen = new HashMap<>();
    private long troubledAt;
    private boolean troubled;

    /** An iteration, and when it was seen first. */
    private record Seen(long iteration, long at) {}

    /** Creates a judge of {@code neighbours}. */
    public NeighbourJudge(CommittedRecords committed, List<String> neighbours, Charges charges) {
        this.committed = committed;
        this.neighbours = List.copyOf(neighbours);
        this.charges = charges;
    }

    /** Looks at them at {@code now}, in microseconds; {@code sharedTrouble} says that they cannot be expected to go on. */
    public void look(long now, boolean sharedTrouble) {
        if (sharedTrouble) {
            troubled = true;
            troubledAt = now;
        }
        for (String neighbour : neighbours) {
            long iteration = committed.iteration(neighbour);
            @Nullable Seen last = seen.get(neighbour);
            if (last == null || last.iteration() != iteration) {
                seen.put(neighbour, new Seen(iteration, now));
            } else if (now - Math.max(last.at(), troubledAt) > (troubled ? RECOVERY_MICROS : PROMPT_MICROS)) {
                charges.add("neighbours", neighbour + " has had no iteration since number " + iteration);
                seen.put(neighbour, new Seen(iteration, now));
            }
        }
    }
}
