package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.schemas.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What became of the run of a job between two of its versions. A job runs once its resource manager has started it: a start
 * that is only decided, and may be refused, is none.
 *
 * @param began it was started
 * @param left it runs no more, for whatever reason
 */
record RunChange(boolean began, boolean left) {
    /** Compares a job with its version {@code before}, which is null for a new one. */
    static RunChange between(@Nullable Job before, Job after) {
        boolean ran = before != null && before.runs();
        boolean unseen = before != null && before.state() == JobState.STARTING && hasRun(after);
        return new RunChange((after.runs() && !ran) || unseen, (ran && !after.runs()) || unseen);
    }

    /** Says whether a job has run to an end of its own, which it may have reached before anybody told of its start. */
    private static boolean hasRun(Job job) {
        return job.state() == JobState.COMPLETED || job.state() == JobState.FAILED;
    }
}
