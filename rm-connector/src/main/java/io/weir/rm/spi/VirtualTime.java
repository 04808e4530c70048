package io.weir.rm.spi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The hand on the clock of a resource manager whose time is simulated. Time moves only in {@link #advance}; all that
 * happens at the new instant has happened when it returns: ends and node events first, then submissions.
 */
public interface VirtualTime {

    /** What a move of the clock led to. */
    enum Step {
        /** A later instant was reached, or the same second is gone through again; there is something to look at. */
        MOVED,
        /** Every job has ended and been reported; time stands where it stood. */
        FINISHED,
        /** Jobs wait, but neither the resource manager nor the scheduler knows a later instant. */
        STALLED
    }

    /**
     * Moves to the earlier of the resource manager's own next event and {@code wake}. A command that changed something a
     * poll has not shown yet, a start apart, makes the next second an event. While {@code wake} lies within the present second
     * the scheduler has not decided all that it has to decide at this instant, and time stands still.
     *
     * @param wake when the scheduler wants to run at the latest, later than now; null when it does not care
     */
    Step advance(@Nullable Instant wake);

    /** Returns how far the simulation has come. */
    Progress progress();

    /**
     * How far a simulation has come.
     *
     * @param ended jobs that have ended
     * @param total jobs of the whole workload
     */
    record Progress(int ended, int total) {}
}
