package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.translate.SlurmJobTranslation;
import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes jobs that exist, all but their start. What cannot be seen on the job afterwards is written on it with the id of
 * the command. One thread.
 */
public final class JobControl {
    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final RestartHold holds;
    private final Duration endTimeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;
    private final @Nullable TaskCancellations cancellations;
    private final @Nullable GraceTimes graceTimes;
    private final LongSupplier polls;

    /**
     * Creates a control; without commands jobs can only be cancelled.
     *
     * @param nanos a monotonic clock
     * @param polls how many polls of the queue are complete
     */
    public JobControl(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            RestartHold holds,
            Duration endTimeout,
            Supplier<Instant> now,
            LongSupplier nanos,
            LongSupplier polls) {
        this.rest = rest;
        this.commands = commands;
        this.graceTimes = commands == null ? null : new GraceTimes(commands);
        this.polls = polls;
        this.holds = holds;
        this.endTimeout = endTimeout;
        this.now = now;
        this.nanos = nanos;
        this.cancellations = commands == null ? null : new TaskCancellations(commands, endTimeout, now, nanos);
    }

    /** Carries out a command about a job; when it has to leave its nodes first, the end of that is looked at later. */
    public Execution carryOut(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (job.hasEnded()) {
            return RmAnswer.refused("the job has ended: "
                    + String.join(",", job.states().stream().sorted().toList()));
        }
        return switch (command.getKind()) {
            case CANCEL_JOB -> inGrace(command, job, victim -> cancel(command, victim));
            case REQUEUE_JOB ->
                inGrace(
                        command,
                        job,
                        victim -> new JobRequeue(rest, control(), endTimeout, now, nanos).carryOut(command, victim));
            case HOLD_JOB -> hold(command, job, control());
            case RELEASE_JOB -> release(command, job, control());
            case SUSPEND_JOB -> suspend(job, control());
            case RESUME_JOB -> resume(job, control());
            case MODIFY_JOB -> modify(command, job, control());
            case SIGNAL_JOB -> signal(command, job);
            case ADD_NODES -> grow(command, job);
            case REMOVE_NODES -> shrink(command, job);
            case UNKNOWN,
                    START_JOB,
                    FULL_POLL,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION ->
                throw new IllegalArgumentException(command.getKind() + " is not about a job");
        };
    }

    /**
     * Judges the job of a command when it has left its nodes or does not; a node that was half added to it is taken back
     * first.
     */
    CommandCheck judge(RmCommand command, AwaitedJob.Conclusion conclusion) {
        AwaitedJob awaited = new AwaitedJob(
                rest, String.valueOf(command.getJobId()), seen -> !seen.isCompleting(), endTimeout, nanos, found -> {
                    if (command.getKind() == CommandKind.ADD_NODES) {
                        found.ifPresent(job -> new JobResizer(rest, control()).undoHalfDone(job));
                    }
                    return conclusion.draw(found);
                });
        return awaited.look();
    }

    /** Changes the time limit; Slurm counts minutes, and has no other thing of a job that is Weir's to change. */
    private RmAnswer modify(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        for (NameValue argument : command.getArguments()) {
            if (!argument.getName().equalsIgnoreCase(CommandArguments.WALLTIME)) {
                return RmAnswer.refused(argument.getName() + " of a job cannot be changed, only walltime can");
            }
        }
        Optional<Long> limit = CommandArguments.walltime(command);
        if (limit.isEmpty()) {
            return RmAnswer.refused("there is nothing to change");
        }
        long minutes = SlurmJob.minutes(limit.get());
        control.update(
                idOf(job), List.of("TimeLimit=" + (minutes >= SlurmJob.UNLIMITED_MINUTES ? "UNLIMITED" : minutes)));
        return RmAnswer.done(now.get());
    }

    private RmAnswer grow(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (job.array() != null || job.component() != null) {
            return RmAnswer.refused("a task of a job array and a heterogeneous job keep the nodes they have");
        }
        if (!job.isRunning() || command.getAllocation().isEmpty()) {
            return RmAnswer.refused("only a running job gets more nodes, and they have to be named");
        }
        JobResizer resizer = new JobResizer(rest, control());
        Set<String> has = job.nodes();
        for (NodeAllocation more : command.getAllocation()) {
            if (!has.contains(more.getNodeId())) {
                resizer.add(job, more.getNodeId(), more.getProcs());
            }
        }
        return RmAnswer.done(now.get());
    }

    private RmAnswer shrink(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (!job.isRunning() || job.array() != null || job.component() != null) {
            return RmAnswer.refused(
                    "only a running job gives nodes back, no task of a job array and no heterogeneous job");
        }
        new JobResizer(rest, control()).remove(job, names(command));
        return RmAnswer.done(now.get());
    }

    /** Carries out {@code order}, of a job that is preempted when it has had its grace time. */
    private Execution inGrace(RmCommand command, SlurmJob job, GracePeriod.Order order) throws SlurmRefusal {
        Duration grace = graceTimes != null && GracePeriod.isFor(command) && job.isRunning()
                ? graceTimes.of(job)
                : Duration.ZERO;
        return grace.isZero()
                ? order.carryOut(job)
                : GracePeriod.begin(command, job, grace, order, rest, control(), now, polls);
    }

    private Execution cancel(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (!TimeLimit.endsBySlurm(command, job, commands, now.get())) {
            if (cancellations != null && job.array() != null) {
                return cancellations.cancel(idOf(job));
            }
            end(job, null);
        }
        return await(
                        job,
                        SlurmJob::hasEnded,
                        after -> CommandCheck.answered(
                                RmAnswer.done(after.map(SlurmJob::end).orElseGet(now))))
                .begin();
    }

    private RmAnswer signal(RmCommand command, SlurmJob job) throws SlurmRefusal {
        Optional<String> signal = CommandArguments.find(command, CommandArguments.SIGNAL);
        if (signal.isEmpty() || !job.isRunning()) {
            return RmAnswer.refused(signal.isEmpty() ? "no signal is named" : "only a running job gets signals");
        }
        end(job, signal.get());
        return RmAnswer.done(now.get());
    }

    /** Ends a job or sends it a signal. By number the last task of an array is not told from its whole array. */
    private void end(SlurmJob job, @Nullable String signal) throws SlurmRefusal {
        if (job.array() != null) {
            control().cancel(idOf(job), signal);
        } else if (signal == null) {
            rest.cancel(idOf(job));
        } else {
            rest.signal(idOf(job), signal);
        }
    }

    private RmAnswer hold(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        if (!job.isHeld()) {
            control.holdAsUser(List.of(idOf(job)));
        }
        note(
                control,
                job,
                job.note().without(AdminNote.RELEASE).with(AdminNote.HOLD, command.getCommandId(), job.restarts()));
        return RmAnswer.done(now.get());
    }

    /**
     * Lifts every hold, its user's and, unless it is the user who asks, an administrator's too; in Slurm the job stays
     * held, for Weir.
     */
    private RmAnswer release(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        boolean others = SlurmJobTranslation.isHeldByAdmin(job)
                || job.note().mark(AdminNote.HOLD).isPresent();
        if (others && CommandArguments.isForUsersHold(command)) {
            return RmAnswer.refused("the job is held by an administrator; its owner cannot release it");
        }
        String id = idOf(job);
        if (SlurmJobTranslation.isHeldByAdmin(job)) {
            control.holdAsUser(List.of(id));
        }
        for (SlurmJob other : otherComponents(job)) {
            List<String> unmarked = unmarked(other);
            if (!unmarked.isEmpty()) {
                control.update(other.alone(), unmarked);
            }
        }
        List<String> fields = new ArrayList<>(unmarked(job));
        AdminNote note =
                job.note().without(AdminNote.HOLD).with(AdminNote.RELEASE, command.getCommandId(), job.restarts());
        if (SlurmJobTranslation.isRequeuedHeld(job)) {
            note = note.with(AdminNote.REQUEUED_HELD, job.restarts());
        }
        fields.add("AdminComment=" + note.text());
        control.update(job.alone(), fields);
        return RmAnswer.done(now.get());
    }

    /** Returns what takes away the mark of a user's hold; nothing when the job has none. */
    private static List<String> unmarked(SlurmJob job) {
        if (job.comment() == null || !SlurmJobTranslation.isMarked(job.comment())) {
            return List.of();
        }
        return List.of("Comment=" + SlurmJobTranslation.unmarked(job.comment()));
    }

    /** Returns the components of a heterogeneous job besides its first. */
    private List<SlurmJob> otherComponents(SlurmJob job) {
        return job.component() == null
                ? List.of()
                : rest.records(job.component().whole()).stream()
                        .filter(other -> other.id() != job.id())
                        .toList();
    }

    private RmAnswer suspend(SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        control.suspend(idOf(job));
        return RmAnswer.done(now.get());
    }

    /** Resuming lifts a hold that keeps Slurm from restarting the job, so it is set again where there was one. */
    private RmAnswer resume(SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        control.resume(idOf(job));
        if (job.isHeld()) {
            holds.keep(List.of(idOf(job)));
        }
        return RmAnswer.done(now.get());
    }

    private static void note(SlurmCommands control, SlurmJob job, AdminNote note) throws SlurmRefusal {
        control.update(job.alone(), List.of("AdminComment=" + note.text()));
    }

    private SlurmCommands control() {
        if (commands == null) {
            throw new IllegalStateException("a command that needs scontrol got here with rm.slurm.commands=false");
        }
        return commands;
    }

    private AwaitedJob await(SlurmJob job, Predicate<SlurmJob> wanted, AwaitedJob.Conclusion conclusion) {
        return new AwaitedJob(rest, idOf(job), wanted, endTimeout, nanos, conclusion);
    }

    private static String idOf(SlurmJob job) {
        return job.key();
    }

    private static Set<String> names(RmCommand command) {
        return command.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }
}
