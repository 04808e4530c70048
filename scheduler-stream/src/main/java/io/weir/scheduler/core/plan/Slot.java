package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and when a job runs or would run.
 *
 * @param start first second, epoch seconds
 * @param seconds how long
 * @param procs processors
 * @param shares where its tasks go; empty where processors are only counted
 * @param planKey what its tasks take; null where processors are only counted
 * @param job whose it is; null where that does not matter
 */
public record Slot(
        long start,
        long seconds,
        long procs,
        List<TaskShare> shares,
        @Nullable PlanKey planKey,
        @Nullable Job job) {
    /** Creates a slot of which it does not matter whose it is. */
    Slot(long start, long seconds, long procs, List<TaskShare> shares, @Nullable PlanKey planKey) {
        this(start, seconds, procs, shares, planKey, null);
    }

    /** Returns a slot of processors that are only counted. */
    public static Slot counted(long start, long seconds, long procs) {
        return new Slot(start, seconds, procs, List.of(), null);
    }

    /** Returns the same from another instant on. */
    public Slot at(long instant) {
        return new Slot(instant, seconds, procs, shares, planKey, job);
    }

    /** Returns the same on other nodes. */
    Slot on(List<TaskShare> others) {
        return new Slot(start, seconds, procs, others, planKey, job);
    }

    /** Returns the end, exclusive, epoch seconds. */
    public long end() {
        return start + seconds;
    }
}
