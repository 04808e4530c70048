package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that a preempted job has to come to an end. At its beginning the processes of the job's steps get SIGCONT and SIGTERM, as
 * Slurm sends them, and the job is marked with the command, so that another process neither sends them again nor begins anew. When it is
 * over the command is carried out, unless the job has left its nodes before. One thread.
 */
final class GracePeriod implements Ongoing {
    private static final String PREEMPTED = "preempted ";
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** How long to wait at most for the end of the job to be reported before the command is answered. */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);

    private final SlurmRest rest;
    private final String job;
    private final Instant end;
    private final Order order;
    private final Supplier<Instant> now;

    /** Polls of the queue that are complete. */
    private final LongSupplier polls;

    private @Nullable Instant leftAt;
    private long pollsBefore;

    /** What follows. */
    @FunctionalInterface
    interface Order {
        Execution carryOut(SlurmJob job) throws SlurmRefusal;
    }

    private GracePeriod(
            SlurmRest rest, String job, Instant end, Order order, Supplier<Instant> now, LongSupplier polls) {
        this.rest = rest;
        this.job = job;
        this.end = end;
        this.order = order;
        this.now = now;
        this.polls = polls;
    }

    /** Says whether a command preempts its job. */
    static boolean isFor(RmCommand command) {
        return String.valueOf(command.getReason()).startsWith(PREEMPTED);
    }

    /** Begins one that lasts {@code time}, or goes on with that which was begun for {@code command}. */
    static GracePeriod begin(
            RmCommand command,
            SlurmJob job,
            Duration time,
            Order order,
            SlurmRest rest,
            SlurmCommands commands,
            Supplier<Instant> now,
            LongSupplier polls)
            throws SlurmRefusal {
        Optional<Instant> earlier = job.note().graceSince(command.getCommandId());
        Instant since = earlier.orElseGet(now);
        if (earlier.isEmpty()) {
            AdminNote note = job.note().withGrace(command.getCommandId(), since);
            commands.update(job.alone(), List.of("AdminComment=" + note.text()));
            commands.cancel(job.key(), "CONT");
            commands.cancel(job.key(), "TERM");
        }
        return new GracePeriod(rest, job.key(), since.plus(time), order, now, polls);
    }

    @Override
    public Duration pause() {
        return LOOK_EVERY;
    }

    /** Any number of jobs may be in their grace time, while others start. */
    @Override
    public boolean isUnderWay() {
        return false;
    }

    @Override
    public CommandCheck look() {
        Optional<SlurmJob> seen = rest.job(job);
        if (seen.filter(SlurmJob::isRunning).isEmpty()) {
            return hasLeft(seen);
        }
        if (now.get().isBefore(end)) {
            return CommandCheck.ongoing(this);
        }
        try {
            return CommandCheck.of(order.carryOut(seen.get()));
        } catch (SlurmRefusal e) {
            return CommandCheck.answered(RmAnswer.refused(String.valueOf(e.getMessage())));
        }
    }

    /** The answer follows the report of the end: until then the job counts as one that is about to leave. */
    private CommandCheck hasLeft(Optional<SlurmJob> seen) {
        if (seen.filter(SlurmJob::isCompleting).isPresent()) {
            return CommandCheck.ongoing(this);
        }
        Instant instant = now.get();
        if (leftAt == null) {
            leftAt = instant;
            pollsBefore = polls.getAsLong();
        }
        boolean reported =
                polls.getAsLong() > pollsBefore || leftAt.plus(REPORTED_WITHIN).isBefore(instant);
        return reported
                ? CommandCheck.answered(RmAnswer.refused("the job has left its nodes by itself"))
                : CommandCheck.ongoing(this);
    }
}
