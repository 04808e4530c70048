package io.weir.scheduler.core.explain;

import io.weir.schemas.NameCount;
import java.util.List;
import java.util.function.Supplier;

/**
 * What keeps a job from running, as found at one instant.
 *
 * @param constraint the binding constraint
 * @param nodesConsidered nodes looked at
 * @param rejections nodes removed by each constraint, sorted by name
 * @param blockers jobs and reservations holding what the job needs, sorted
 * @param expectedStart expected start, epoch seconds; {@link io.weir.scheduler.core.job.Job#NONE} when unknown
 * @param wording makes the sentence that says it all, for people
 */
public record WaitCause(
        String constraint,
        int nodesConsidered,
        List<NameCount> rejections,
        List<String> blockers,
        long expectedStart,
        Supplier<String> wording) {
    /** An operator or the resource manager holds the job. */
    public static final String HOLD = "Hold";

    /** A start failed; the job is not tried again before an instant. */
    public static final String DEFERRED = "Deferred";

    /** The job is not to start before an instant it names. */
    public static final String START_DATE = "StartDate";

    /** A command about the job is on its way. */
    public static final String COMMAND = "Command";

    /** MODE MONITOR: the job would have been started. */
    public static final String MONITOR = "Monitor";

    /** An allocation plug-in was asked which nodes it is to have, and has not answered. */
    public static final String PLUGIN = "Plugin";

    /** The allocation manager was asked whether the job can be paid for, and has not answered. */
    public static final String FUNDS = "Funds";

    /** No connector is there to start the job. */
    public static final String CONNECTOR = "Connector";

    /** Scheduling is paused or stopped. */
    public static final String SCHEDULER = "Scheduler";

    /** The job does not wait. */
    public static final String NOTHING = "None";

    public WaitCause {
        rejections = List.copyOf(rejections);
        blockers = List.copyOf(blockers);
    }

    /** Returns the whole in one sentence, for people. */
    public String message() {
        return wording.get();
    }

    /** Returns the same cause with {@code words} behind its sentence. */
    WaitCause adding(String words) {
        return new WaitCause(
                constraint, nodesConsidered, rejections, blockers, expectedStart, () -> wording.get() + words);
    }

    /** Returns a cause that no node has to be looked at for. */
    public static WaitCause plain(String constraint, long expectedStart, String message) {
        return new WaitCause(constraint, 0, List.of(), List.of(), expectedStart, () -> message);
    }
}
