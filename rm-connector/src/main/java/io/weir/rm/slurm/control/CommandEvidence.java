package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.start.JobStarter;
import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tells by what Slurm shows whether a command took effect that an earlier process may have carried out; starts apart, which
 * {@link JobStarter} knows about. Changes nothing but what was found half done. One thread.
 */
public final class CommandEvidence {
    private final SlurmRest rest;
    private final JobControl jobs;
    private final Supplier<ReservationMirror> reservations;
    private final Supplier<Instant> now;

    public CommandEvidence(
            SlurmRest rest, JobControl jobs, Supplier<ReservationMirror> reservations, Supplier<Instant> now) {
        this.rest = rest;
        this.jobs = jobs;
        this.reservations = reservations;
        this.now = now;
    }

    public CommandCheck check(RmCommand command) {
        if (command.getKind() == CommandKind.SIGNAL_JOB) {
            return CommandCheck.unknown();
        }
        if (command.getJobId() == null) {
            return isInEffect(command) ? CommandCheck.answered(RmAnswer.done(now.get())) : CommandCheck.notDone();
        }
        // What becomes of a job that is leaving its nodes, the end or the queue, shows when it has.
        return jobs.judge(
                command,
                found -> found.isPresent() && isInEffect(command, found.get())
                        ? CommandCheck.answered(RmAnswer.done(effectTime(command, found.get())))
                        : CommandCheck.notDone());
    }

    private static boolean isInEffect(RmCommand command, SlurmJob job) {
        String id = command.getCommandId();
        return switch (command.getKind()) {
            case CANCEL_JOB -> job.hasEnded();
            case REQUEUE_JOB ->
                job.note().names(AdminNote.REQUEUE, id)
                        && job.restarts()
                                > job.note()
                                        .mark(AdminNote.REQUEUE)
                                        .orElseThrow()
                                        .restarts();
            case HOLD_JOB -> job.note().names(AdminNote.HOLD, id);
            case RELEASE_JOB -> job.note().names(AdminNote.RELEASE, id);
            case SUSPEND_JOB -> job.is("SUSPENDED");
            case RESUME_JOB -> job.is("RUNNING");
            case MODIFY_JOB ->
                command.getArguments().size() <= 1
                        && CommandArguments.walltime(command)
                                .filter(limit -> SlurmJob.minutes(limit) == job.limitMinutes())
                                .isPresent();
            case ADD_NODES -> job.nodes().containsAll(names(command));
            case REMOVE_NODES -> job.isRunning() && job.nodes().stream().noneMatch(names(command)::contains);
            case UNKNOWN,
                    START_JOB,
                    SIGNAL_JOB,
                    FULL_POLL,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION -> false;
        };
    }

    private boolean isInEffect(RmCommand command) {
        if (command.getKind() == CommandKind.CREATE_RESERVATION) {
            return reservations.get().exists(ReservationMirror.nameOf(command));
        }
        if (command.getKind() == CommandKind.RELEASE_RESERVATION) {
            return !reservations.get().exists(ReservationMirror.nameOf(command));
        }
        return node(command)
                .filter(node -> NodeControl.isInEffect(command, node))
                .isPresent();
    }

    private Optional<SlurmNode> node(RmCommand command) {
        return rest.nodes(null).orElseGet(List::of).stream()
                .filter(node -> node.name().equals(command.getObjectId()))
                .findFirst();
    }

    private Instant effectTime(RmCommand command, SlurmJob job) {
        return command.getKind() == CommandKind.CANCEL_JOB && job.end() != null ? job.end() : now.get();
    }

    private static Set<String> names(RmCommand command) {
        return command.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }
}
