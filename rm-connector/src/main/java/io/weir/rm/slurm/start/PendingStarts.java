package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.control.RestartHold;
import io.weir.rm.slurm.translate.SlurmJobTranslation;
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
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
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

    /** For what jobs wait that have just been put back into the queue. */
    private static final Set<String> AFTER_REQUEUE = Set.of("BeginTime", "Cleaning");

    /** With more starts than this, listing the whole queue is cheaper than asking for each job; so it is with any task of an array. */
    private static final int LIST_ABOVE = 5;

    /** A job that so many nodes do not suit will hardly find one that does, and is for the rules for refused starts. */
    private static final int UNSUITED_ENOUGH = 3;

    /** Looks are further apart when there are many: the connector has starts to make meanwhile, and polls show them too. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** So many may be under way, of those that had to wait first too. */
    private static final int MOST_UNDER_WAY = 256;

    /**
     * Components are started by Slurm's backfill scheduler alone, whose passes are rarer; so are all jobs by a backup controller of Slurm
     * 22.05, of which the main scheduler does not run once it has taken over.
     */
    private static final int BACKFILL_TAKES_LONGER = 3;

    private static final Duration LOOK_AT_MANY_EVERY = Duration.ofSeconds(1);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final RestartHold holds;
    private final NoteWriter notes;
    private final StartObstacles obstacles;
    private final Duration timeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;
    private final StartOrder order;

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
        this.order = new StartOrder(nanos);
    }

    /** Says whether a start may begin; if not, it is to ask again after {@link #pause}. */
    boolean mayBegin(String commandId, List<StartedPart> parts) {
        return order.mayBegin(commandId, parts, starts.keySet()) && starts.size() < MOST_UNDER_WAY;
    }

    /** Watches a job that is released now. */
    PendingStart add(String commandId, List<StartedPart> parts) {
        PendingStart start = new PendingStart(this, commandId, parts, nanos.getAsLong());
        starts.put(commandId, start);
        order.begun(commandId, parts);
        return start;
    }

    /** Says whether a start of that job or component is under way. */
    public boolean isStarting(String job) {
        return starts.values().stream()
                .flatMap(start -> start.parts().stream())
                .anyMatch(part -> part.job().equals(job));
    }

    /** Watches a start no more. */
    void forget(String commandId) {
        starts.remove(commandId);
        order.over(commandId);
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
            @Nullable JobSnapshot snapshot = together(start, snapshots);
            @Nullable RmAnswer answer = answer(start, snapshot, snapshots);
            if (answer != null) {
                answers.put(start.commandId(), answer);
                if (snapshot != null && snapshot.onNodes()) {
                    running.add(start.job());
                }
            }
        }
        holds.keepRunning(running);
        starts.values().forEach(start -> start.seen(answers.get(start.commandId())));
        answers.keySet().forEach(this::forget);
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
            Map<String, JobSnapshot> parts = new HashMap<>();
            for (StartedPart part : start.parts()) {
                Optional.ofNullable(lines.get(part.job()))
                        .ifPresent(line -> parts.put(part.job(), JobSnapshot.of(line)));
            }
            @Nullable JobSnapshot snapshot = together(start, parts);
            if (snapshot == null || start.since() - taken >= 0) {
                continue;
            }
            if (!snapshot.waits()) {
                start.seen(answer(start, snapshot, parts));
                begun.add(start);
            } else if (!isOver(start, parts)) {
                // Else it has to be decided what becomes of it, however often the queue is listed.
                start.seen(null);
            }
        }
        begun.forEach(start -> forget(start.commandId()));
    }

    /** Returns what is seen of all that starts; null if something of it is not seen. */
    private static @Nullable JobSnapshot together(PendingStart start, Map<String, JobSnapshot> snapshots) {
        List<JobSnapshot> seen = start.parts().stream()
                .flatMap(part -> Stream.ofNullable(snapshots.get(part.job())))
                .toList();
        return seen.size() < start.parts().size() ? null : JobSnapshot.together(seen);
    }

    private @Nullable RmAnswer answer(
            PendingStart start, @Nullable JobSnapshot snapshot, Map<String, JobSnapshot> snapshots) {
        if (snapshot == null) {
            return RmAnswer.refusedForJob("the job vanished from Slurm");
        }
        if (!snapshot.waits()) {
            start.parts().forEach(part -> obstacles.forget(part.job()));
            return snapshot.hadNodes()
                    ? RmAnswer.done(snapshot.started() == null ? released(start) : snapshot.started())
                    : RmAnswer.refusedForJob("the job is " + snapshot.state() + ", it ended before it started");
        }
        if (snapshot.held()) {
            return giveUp(start, snapshots);
        }
        boolean requeued = isAsAfterRequeue(snapshot)
                && rest.job(start.job()).filter(job -> wasRequeued(job, start)).isPresent();
        return requeued || (isOver(start, snapshots) && rest.uptime().compareTo(SETTLING) > 0)
                ? undo(start, snapshots)
                : null;
    }

    /** Returns when a start was released: of a job that is back on its way to the queue Slurm does not tell when it began. */
    private Instant released(PendingStart start) {
        return now.get().minusNanos(Math.max(0, nanos.getAsLong() - start.since()));
    }

    /** Says whether a job waits as one does that was put back into the queue just now. */
    private static boolean isAsAfterRequeue(JobSnapshot snapshot) {
        return AFTER_REQUEUE.contains(snapshot.reason());
    }

    /**
     * A job that was held has to wait: its user may have held it, or Slurm, because these nodes are not what it asks for or could not
     * launch it, which is a hold until somebody releases the job.
     */
    private RmAnswer giveUp(PendingStart start, Map<String, JobSnapshot> snapshots) {
        StartObstacle obstacle = obstacle(start, snapshots);
        boolean forNow = false;
        for (StartedPart part : start.parts()) {
            Optional<SlurmJob> held = rest.job(part.job()).filter(SlurmJob::isPending);
            if (held.filter(SlurmJobTranslation::isRequeuedHeld).isPresent()) {
                notes.restore(held.get(), notes.holdRequeued(held.get()));
                forNow = true;
                continue;
            }
            held.ifPresent(notes::restore);
            if (held.isPresent() && obstacle.kind() == StartObstacle.Kind.NODES) {
                obstacles.met(held.get(), obstacle, now.get());
                forNow = obstacles.leftOut(held.get(), now.get()).size() < UNSUITED_ENOUGH;
            }
        }
        String message = "the job was held before it started: " + obstacle.reason();
        return forNow ? RmAnswer.refusedForNow(message) : RmAnswer.refusedForJob(message);
    }

    private boolean isOver(PendingStart start, Map<String, JobSnapshot> snapshots) {
        if (!isLate(start)) {
            return false;
        }
        StartObstacle obstacle = obstacle(start, snapshots);
        return obstacle.isCertain() || isOverdue(start, obstacle);
    }

    /** Returns what keeps the job from starting: of its components, the first that tells. */
    private StartObstacle obstacle(PendingStart start, Map<String, JobSnapshot> snapshots) {
        StartLook look = look(snapshots);
        List<StartObstacle> all = start.parts().stream()
                .flatMap(part -> look.obstacle(part).stream())
                .toList();
        return all.stream()
                .filter(obstacle -> obstacle.kind() != StartObstacle.Kind.OTHER)
                .findFirst()
                .orElse(all.get(0));
    }

    private StartLook look(Map<String, JobSnapshot> snapshots) {
        return new StartLook(
                starts.values().stream()
                        .flatMap(start -> start.parts().stream())
                        .toList(),
                snapshots);
    }

    /** Slurm's pass has been, and what it said of the job will not change soon. */
    private boolean isLate(PendingStart start) {
        return nanos.getAsLong() - start.since() > limit(start).toNanos() / 2;
    }

    private boolean isOverdue(PendingStart start, StartObstacle obstacle) {
        Duration longest = obstacle.isUnsaid() && start.parts().size() == 1
                ? timeout.multipliedBy(BACKFILL_TAKES_LONGER)
                : limit(start);
        return nanos.getAsLong() - start.since() > longest.toNanos();
    }

    private Duration limit(PendingStart start) {
        return start.parts().size() > 1 ? timeout.multipliedBy(BACKFILL_TAKES_LONGER) : timeout;
    }

    private Map<String, JobSnapshot> snapshots() {
        Map<String, JobSnapshot> snapshots = new HashMap<>();
        boolean tasks = starts.values().stream()
                .anyMatch(start -> start.parts().size() > 1 || start.job().indexOf('_') >= 0);
        if (commands != null && (tasks || starts.size() > LIST_ABOVE)) {
            commands.queue().forEach((id, line) -> snapshots.put(id, JobSnapshot.of(line)));
        } else {
            for (PendingStart start : starts.values()) {
                for (StartedPart part : start.parts()) {
                    rest.job(part.job()).ifPresent(job -> snapshots.put(part.job(), JobSnapshot.of(job)));
                }
            }
        }
        return snapshots;
    }

    /** Takes a start back; unless the job began after all, between the look and the hold. */
    private RmAnswer undo(PendingStart start, Map<String, JobSnapshot> snapshots) {
        try {
            holds.takeBack(start.job());
        } catch (SlurmRefusal e) {
            log.info("job={} was not held again: {}", start.job(), e.getMessage());
        }
        Optional<SlurmJob> job = rest.job(start.job());
        if (job.isPresent() && job.get().hadNodes() && job.get().started() != null) {
            return RmAnswer.done(job.get().started());
        }
        if (job.filter(waiting -> wasRequeued(waiting, start)).isPresent()) {
            // What was written into it is put back when it is seen to wait.
            return ranUntilRequeued(job.get(), now.get());
        }
        StartObstacle obstacle = obstacle(start, snapshots);
        for (StartedPart part : start.parts()) {
            rest.job(part.job()).ifPresent(held -> takeBack(start, part, held, snapshots));
        }
        String message = "Slurm did not start it within "
                + Duration.ofNanos(nanos.getAsLong() - start.since()).toMillis() + " ms: " + obstacle.reason()
                + "; held again";
        return switch (obstacle.kind()) {
            case PASSING, NODES -> RmAnswer.refusedForNow(message);
            case REQUEST -> RmAnswer.refusedForJob(message);
            case OTHER -> RmAnswer.refused(message);
        };
    }

    /** Returns the answer about the start of a job that was put back into the queue, at the latest when that was. */
    static RmAnswer ranUntilRequeued(SlurmJob job, Instant now) {
        return RmAnswer.done(job.submitted() == null ? now : job.submitted());
    }

    /** Says whether a job ran since that start of it and was put back into the queue. */
    private static boolean wasRequeued(SlurmJob job, PendingStart start) {
        return job.note().names(AdminNote.START, start.commandId())
                && job.note()
                        .mark(AdminNote.START)
                        .filter(mark -> mark.restarts() < job.restarts())
                        .isPresent();
    }

    /** Puts back what was written into a job or component that did not start, and keeps in mind what was in its way. */
    private void takeBack(PendingStart start, StartedPart part, SlurmJob held, Map<String, JobSnapshot> snapshots) {
        notes.restore(
                held, held.note().without(AdminNote.START).with(AdminNote.UNDONE, start.commandId(), held.restarts()));
        look(snapshots).obstacle(part).ifPresent(obstacle -> obstacles.met(held, obstacle, now.get()));
    }
}
