package io.weir.rm.runtime.command;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges by the state of its job whether a command was carried out, for resource managers that keep no command ids. Only
 * what the command itself would have brought about counts as done; in doubt it is not done, for a resource manager
 * refuses to start a running job or to cancel an ended one. A requeue is told by the start time: a job that waits, or
 * that started again since, was requeued.
 */
final class PollEvidence {
    private static final Set<JobState> ENDED =
            EnumSet.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED, JobState.REMOVED);

    private PollEvidence() {}

    /** Returns the verdict on {@code command}, given a poll made after it may have been executed. */
    static CommandCheck judge(RmCommand command, Poll poll) {
        Optional<JobReport> report = poll.jobs().stream()
                .filter(job -> job.getJobId().equals(command.getJobId()))
                .findFirst();
        if (report.isEmpty()) {
            return CommandCheck.notDone();
        }
        return isInEffect(command, report.get())
                ? CommandCheck.answered(RmAnswer.done(effectTime(report.get(), poll.rmTime())))
                : CommandCheck.notDone();
    }

    private static boolean isInEffect(RmCommand command, JobReport job) {
        JobState state = job.getState();
        boolean startedSince = startedSince(command, job);
        return switch (command.getKind()) {
            case START_JOB -> startedSince || state == JobState.STARTING || state == JobState.RUNNING;
            case CANCEL_JOB -> ENDED.contains(state);
            case REQUEUE_JOB -> state == JobState.IDLE || state == JobState.HOLD || startedSince;
            case HOLD_JOB -> state == JobState.HOLD;
            case RELEASE_JOB -> state == JobState.IDLE;
            case SUSPEND_JOB -> state == JobState.SUSPENDED;
            case RESUME_JOB -> state == JobState.RUNNING;
            case UNKNOWN,
                    FULL_POLL,
                    MODIFY_JOB,
                    ADD_NODES,
                    REMOVE_NODES,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION -> false;
        };
    }

    private static boolean startedSince(RmCommand command, JobReport job) {
        @Nullable Instant start = job.getStartTime();
        return start != null && !start.isBefore(command.getIssuedAt());
    }

    private static Instant effectTime(JobReport job, Instant polled) {
        if (ENDED.contains(job.getState()) && job.getEndTime() != null) {
            return job.getEndTime();
        }
        return job.getStartTime() != null ? job.getStartTime() : polled;
    }
}
