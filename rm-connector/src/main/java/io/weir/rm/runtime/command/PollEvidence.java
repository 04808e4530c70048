package io.weir.rm.runtime.command;

import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.NodeOrder;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges by the state of its job whether a command was carried out, for resource managers that keep no command ids. Only
 * what the command itself would have brought about counts as done; in doubt it is not done, for a resource manager
 * refuses to start a running job or to hold an ended one. A job that is not there any more is cancelled. A requeue is told
 * by the start time: a job that waits, or that started again since, was requeued. A signal leaves no trace, and a second
 * one may do harm: it is not sent again.
 */
final class PollEvidence {
    private static final Set<JobState> ENDED =
            EnumSet.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED, JobState.REMOVED);

    private PollEvidence() {}

    /** Returns the verdict on {@code command}, given a poll made after it may have been executed. */
    static CommandCheck judge(RmCommand command, Poll poll) {
        if (command.getKind() == CommandKind.SIGNAL_JOB) {
            return CommandCheck.answered(RmAnswer.refused(
                    "it is not known whether this signal was sent, as contact was lost meanwhile; it is not"
                            + " sent again"));
        }
        if (command.getJobId() == null) {
            return poll.nodes().stream()
                            .anyMatch(
                                    node -> node.getNodeId().equals(command.getObjectId()) && isInEffect(command, node))
                    ? CommandCheck.answered(RmAnswer.done(poll.rmTime()))
                    : CommandCheck.notDone();
        }
        Optional<JobReport> report = poll.jobs().stream()
                .filter(job -> job.getJobId().equals(command.getJobId()))
                .findFirst();
        if (report.isEmpty()) {
            // A resource manager need not list jobs that have ended, and some do so only when they have written them
            // down.
            return command.getKind() == CommandKind.CANCEL_JOB
                    ? CommandCheck.answered(RmAnswer.done(poll.rmTime()))
                    : CommandCheck.notDone();
        }
        return isInEffect(command, report.get())
                ? CommandCheck.answered(RmAnswer.done(effectTime(command, report.get(), poll.rmTime())))
                : CommandCheck.notDone();
    }

    /** Other changes of a node cannot be told, and may be made once more. */
    private static boolean isInEffect(RmCommand command, NodeReport node) {
        boolean drained = node.getState() == NodeState.DRAINED || node.getState() == NodeState.DRAINING;
        return NodeOrder.of(command.getKind())
                .filter(order -> switch (order) {
                    case DRAIN -> drained;
                    case RESUME -> !drained && node.getState() != NodeState.DOWN;
                    case MODIFY -> false;
                })
                .isPresent();
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
            case MODIFY_JOB ->
                command.getArguments().size() <= 1
                        && CommandArguments.walltime(command)
                                .filter(limit -> limit.equals(job.getWalltimeSeconds()))
                                .isPresent();
            case ADD_NODES -> nodes(job).containsAll(nodes(command));
            case REMOVE_NODES ->
                state == JobState.RUNNING && nodes(job).stream().noneMatch(nodes(command)::contains);
            case UNKNOWN,
                    SIGNAL_JOB,
                    FULL_POLL,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION -> false;
        };
    }

    private static Set<String> nodes(JobReport job) {
        return job.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }

    private static Set<String> nodes(RmCommand command) {
        return command.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }

    private static boolean startedSince(RmCommand command, JobReport job) {
        @Nullable Instant start = job.getStartTime();
        return start != null && !start.isBefore(command.getIssuedAt());
    }

    private static Instant effectTime(RmCommand command, JobReport job, Instant polled) {
        if (ENDED.contains(job.getState()) && job.getEndTime() != null) {
            return job.getEndTime();
        }
        boolean aboutStart = switch (command.getKind()) {
            case MODIFY_JOB, ADD_NODES, REMOVE_NODES, SIGNAL_JOB -> false;
            case UNKNOWN,
                    START_JOB,
                    CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    FULL_POLL,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION -> true;
        };
        return aboutStart && job.getStartTime() != null ? job.getStartTime() : polled;
    }
}
