package io.weir.scheduler.core.job;

import io.weir.schemas.JobPreemption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What preemption means to a job: running jobs were preempted to make room for it, or it is one of these. Immutable.
 *
 * @param since when that was decided, epoch seconds
 * @param by the job for which it gives up its nodes; null where room is made for it
 * @param failed whether the resource manager did not preempt it, so that it keeps its nodes
 */
public record Preemption(long since, @Nullable String by, boolean failed) {
    /** Room is made for the job since {@code now}. */
    static Preemption forIt(long now) {
        return new Preemption(now, null, false);
    }

    /** The job gives up its nodes since {@code now} for the one with the id {@code preemptor}. */
    static Preemption of(String preemptor, long now) {
        return new Preemption(now, preemptor, false);
    }

    /** Restores what is stored; null for none. */
    static @Nullable Preemption from(@Nullable JobPreemption stored) {
        return stored == null
                ? null
                : new Preemption(stored.getSince().getEpochSecond(), stored.getBy(), stored.getFailed());
    }

    /** Returns the record that stores hold. */
    JobPreemption toRecord() {
        return new JobPreemption(Instant.ofEpochSecond(since), by, failed);
    }

    /** Returns whether the job is about to give up its nodes. */
    public boolean givesWay() {
        return by != null && !failed;
    }

    /** Returns the same, of which nothing came. */
    Preemption inVain() {
        return new Preemption(since, by, true);
    }
}
