package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.control.RestartHold;
import io.weir.rm.slurm.translate.StartObstacle;
import io.weir.rm.slurm.translate.StartObstacles;
import io.weir.rm.spi.RmAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The starts that were released and that Slurm has not begun. A job that does not
 * run in time is held again and its start refused, or it would start whenever its nodes happen to be free. One thread.
 */
public final class PendingStarts {
    private static final Logger log = LoggerFactory.getLogger(PendingStarts.class);

    /**
     * A controller that was just started asks its nodes to register after three seconds, and starts nothing before they
     * did; one on which jobs ran looks as usable as ever meanwhile.
     */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    /** With more starts than this, listing the whole queue is cheaper than asking for each job; so it is with any task of an array. */
    private static final int LIST_ABOVE = 5;

    /** Looks are further apart when there are many: the connector has starts to make meanwhile, and polls show them too. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    private static final Duration LOOK_AT_MANY_EVERY = Duration.ofSeconds(1);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final RestartHold holds;
    private final NoteWriter notes;
    private final StartObstacles obstacles;
    private final Duration timeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;

    /** By command id. */
    private final Map<String, PendingStart> starts = new LinkedHashMap<>();

    public PendingStarts(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            RestartHold holds,
            NoteWriter notes,
            StartObstacles obstacles,
            Duration timeout,
            Supplier<Instant> now,
            LongSupplier nanos) {
        this.rest = rest;
        this.commands = commands;
        this.holds = holds;
        this.notes = notes;
        this.obstacles = obstacles;
        this.timeout = timeout;
        this.now = now;
        this.nanos = nanos;
    }

    /** Watches a job that is released now. */
    PendingStart add(String commandId, String job, List<String> nodes) {
        PendingStart start = new PendingStart(this, commandId, job, nodes, nanos.getAsLong());
        starts.put(commandId, start);
        return start;
    }

    /** Says whether a start of that job is under way. */
    public boolean isStarting(String job) {
        return starts.values().stream().anyMatch(start -> start.job().equals(job));
    }

    /** Watches a start no more. */
    void forget(String commandId) {
        starts.remove(commandId);
    }

    /** Returns how long to wait before the next look. */
    Duration pause() {
        return starts.size() > LIST_ABOVE ? LOOK_AT_MANY_EVERY : LOOK_EVERY;
    }

    /** Looks at all starts and answers those that can be. */
    void look() {
        Map<String, JobSnapshot> snapshots = snapshots();
        List<String> running = new ArrayList<>();
        Map<String, RmAnswer> answers = new HashMap<>();
        for (PendingStart start : starts.values()) {
            @Nullable JobSnapshot snapshot = snapshots.get(start.job());
            @Nullable RmAnswer answer = answer(start, snapshot);
            if (answer != null) {
                answers.put(start.commandId(), answer);
                if (snapshot != null && snapshot.onNodes()) {
                    running.add(start.job());
                }
            }
        }
        holds.keepRunning(running);
        starts.values().forEach(start -> start.seen(answers.get(start.commandId())));
        starts.keySet().removeAll(answers.keySet());
    }

    /**
     * Takes what a poll listed anyway for a look at those that were released before; what is not running by that is looked at
     * later.
     *
     * @param taken when the listing was begun, in monotonic nanoseconds
     */
    public void listed(Map<String, QueueLine> lines, long taken) {
        List<PendingStart> begun = new ArrayList<>();
        for (PendingStart start : starts.values()) {
            @Nullable QueueLine line = lines.get(start.job());
            if (line != null && start.since() - taken < 0) {
                JobSnapshot snapshot = JobSnapshot.of(line);
                start.seen(snapshot.waits() ? null : answer(start, snapshot));
                if (!snapshot.waits()) {
                    begun.add(start);
                }
            }
        }
        begun.forEach(start -> starts.remove(start.commandId()));
    }

    private @Nullable RmAnswer answer(PendingStart start, @Nullable JobSnapshot snapshot) {
        if (snapshot == null) {
            return RmAnswer.refused("the job vanished from Slurm");
        }
        if (!snapshot.waits()) {
            obstacles.forget(start.job());
            return snapshot.hadNodes()
                    ? RmAnswer.done(snapshot.started() == null ? now.get() : snapshot.started())
                    : RmAnswer.refused("the job is " + snapshot.state() + ", it ended before it started");
        }
        if (snapshot.held()) {
            rest.job(start.job()).filter(SlurmJob::isPending).ifPresent(notes::restore);
            return RmAnswer.refused("the job was held before it started");
        }
        boolean over =
                isOverdue(start) || (isLate(start) && obstacle(start, snapshot).isCertain());
        return over && rest.uptime().compareTo(SETTLING) > 0 ? undo(start, snapshot) : null;
    }

    private static StartObstacle obstacle(PendingStart start, JobSnapshot snapshot) {
        return StartObstacle.of(snapshot.reason(), start.nodes());
    }

    /** Slurm's pass has been, and what it said of the job will not change soon. */
    private boolean isLate(PendingStart start) {
        return nanos.getAsLong() - start.since() > timeout.toNanos() / 2;
    }

    private boolean isOverdue(PendingStart start) {
        return nanos.getAsLong() - start.since() > timeout.toNanos();
    }

    private Map<String, JobSnapshot> snapshots() {
        Map<String, JobSnapshot> snapshots = new HashMap<>();
        boolean tasks = starts.values().stream().anyMatch(start -> start.job().indexOf('_') >= 0);
        if (commands != null && (tasks || starts.size() > LIST_ABOVE)) {
            QueueLine.parse(commands.queue(QueueLine.FORMAT))
                    .forEach((id, line) -> snapshots.put(id, JobSnapshot.of(line)));
        } else {
            for (PendingStart start : starts.values()) {
                rest.job(start.job()).ifPresent(job -> snapshots.put(start.job(), JobSnapshot.of(job)));
            }
        }
        return snapshots;
    }

    /** Takes a start back; unless the job began after all, between the look and the hold. */
    private RmAnswer undo(PendingStart start, JobSnapshot snapshot) {
        try {
            holds.hold(List.of(start.job()));
        } catch (SlurmRefusal e) {
            log.info("job={} was not held again: {}", start.job(), e.getMessage());
        }
        Optional<SlurmJob> job = rest.job(start.job());
        if (job.isPresent() && job.get().hadNodes() && job.get().started() != null) {
            return RmAnswer.done(job.get().started());
        }
        job.ifPresent(held -> notes.restore(
                held, held.note().without(AdminNote.START).with(AdminNote.UNDONE, start.commandId(), held.restarts())));
        StartObstacle obstacle = obstacle(start, snapshot);
        job.ifPresent(held -> obstacles.met(held, obstacle, now.get()));
        String message =
                "Slurm did not start it within " + timeout.toMillis() + " ms: " + snapshot.reason() + "; held again";
        return switch (obstacle.kind()) {
            case PASSING, NODES -> RmAnswer.refusedForNow(message);
            case OTHER -> RmAnswer.refused(message);
        };
    }
}
