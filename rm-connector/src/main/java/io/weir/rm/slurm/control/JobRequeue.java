package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Puts a job back into the queue: requeued held, as its user would hold it, and free to begin at once when Weir starts it. A
 * job that Slurm has put back by itself since its start, as after the death of a node, or is putting back now, needs no more
 * than that.
 */
final class JobRequeue {
    private static final String PENDING = "PENDING";

    /** Part of Slurm's words for a job that is not there to be requeued, since it is in the queue. */
    private static final String WAITS_ALREADY = "is pending execution";

    private final SlurmRest rest;
    private final SlurmCommands control;
    private final Duration endTimeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;

    /**
     * Creates it.
     *
     * @param endTimeout how long a job may take to leave its nodes
     * @param nanos a monotonic clock
     */
    JobRequeue(SlurmRest rest, SlurmCommands control, Duration endTimeout, Supplier<Instant> now, LongSupplier nanos) {
        this.rest = rest;
        this.control = control;
        this.endTimeout = endTimeout;
        this.now = now;
        this.nanos = nanos;
    }

    /** Puts the job back; that it has left its nodes is looked at later. */
    Execution carryOut(RmCommand command, SlurmJob job) throws SlurmRefusal {
        boolean again = isQueuedAgain(job);
        if (job.isPending() && !again) {
            return RmAnswer.refused("the job waits already");
        }
        int before = again ? startedAt(job).orElse(job.restarts()) : job.restarts();
        note(command, job, before);
        boolean heldHere = !job.is(PENDING) && !job.isPending() && putBack(job);
        return new AwaitedJob(rest, job.key(), SlurmJob::isPending, endTimeout, nanos, after -> {
                    if (after.isPresent() && after.get().isPending()) {
                        leaveHeld(after.get(), heldHere);
                    }
                    return CommandCheck.answered(RmAnswer.done(now.get()));
                })
                .begin();
    }

    private void note(RmCommand command, SlurmJob job, int restarts) throws SlurmRefusal {
        AdminNote note = job.note().with(AdminNote.REQUEUE, command.getCommandId(), restarts);
        control.update(job.alone(), List.of("AdminComment=" + note.text()));
    }

    /** Requeues a job held; returns false if Slurm has begun to put it back since it was looked at. */
    private boolean putBack(SlurmJob job) throws SlurmRefusal {
        try {
            control.requeueHeld(job.key());
            return true;
        } catch (SlurmRefusal e) {
            // What is read a moment later may already be the next state of the job, or still the last.
            boolean waits = String.valueOf(e.getMessage()).contains(WAITS_ALREADY);
            if (!waits && rest.job(job.key()).filter(seen -> seen.is(PENDING)).isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Has a job that was put back wait for Weir, free to begin; one that somebody else holds stays as it is. It is held first,
     * since Slurm starts one that is free to begin.
     */
    private void leaveHeld(SlurmJob waiting, boolean heldHere) throws SlurmRefusal {
        if (heldHere || !waiting.isHeld()) {
            control.holdAsUser(List.of(waiting.key()));
        }
        control.update(waiting.key(), List.of("StartTime=now"));
    }

    /** Says whether the job was put back into the queue since its last start; Slurm counts that when it has left its nodes. */
    private static boolean isQueuedAgain(SlurmJob job) {
        return job.isPending()
                && startedAt(job).filter(start -> start < job.restarts()).isPresent();
    }

    /** Returns the restarts that a job had when Weir started it last. */
    private static Optional<Integer> startedAt(SlurmJob job) {
        return job.note().mark(AdminNote.START).map(AdminNote.Mark::restarts);
    }
}
