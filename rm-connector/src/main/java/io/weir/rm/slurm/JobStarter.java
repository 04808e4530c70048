package io.weir.rm.slurm;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
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
 * Starts held jobs on named nodes. The id of the command goes on the job first, then one request names the nodes and
 * lifts the hold; Slurm's next pass runs the job. As soon as it runs it is held again, which does not disturb it but
 * keeps Slurm from ever restarting it by itself. A job that does not run in time is held again and the start refused, or
 * it would start whenever its nodes happen to be free.
 *
 * <pre>
 *   held ──note──► held, marked ──release──► pending ──Slurm──► running ──hold──► running, held: DONE
 *     ▲                                        │ too late
 *     └──────────────── hold ──────────────────┘ REFUSED
 * </pre>
 *
 * Several starts wait for Slurm together. One thread.
 */
final class JobStarter {
    private static final Logger log = LoggerFactory.getLogger(JobStarter.class);

    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /**
     * A node's daemon refuses credentials of a job that are not younger than the last end of that job there, and the job
     * fails. Slurm tells whole seconds, and clocks may differ by one.
     */
    private static final Duration AFTER_REQUEUE = Duration.ofSeconds(3);

    /**
     * A controller that was just started asks its nodes to register after three seconds, and starts nothing before they
     * did; one on which jobs ran looks as usable as ever meanwhile.
     */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private static final int PLACES_KEPT = 10_000;

    /** With more starts under way than this, listing the whole queue is cheaper than asking for each job. */
    private static final int LIST_ABOVE = 20;

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final @Nullable ReservationMirror reservations;
    private final JobTranslation translation;
    private final Duration timeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;

    /** Starts released and not settled, by command id. */
    private final Map<String, Begun> begun = new LinkedHashMap<>();

    /** Starts settled and not yet asked for, by command id. */
    private final Map<String, RmAnswer> settled = new HashMap<>();

    /** Where the jobs were to go that were released last, by job. */
    private final Map<String, List<NodeAllocation>> places = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<NodeAllocation>> eldest) {
            return size() > PLACES_KEPT;
        }
    };

    /** A job that was released at {@code since}, in monotonic nanoseconds. */
    private record Begun(String commandId, String job, long since) {}

    /** What is seen of a job that is to start. */
    private record Sight(
            String state,
            boolean waits,
            boolean held,
            boolean hadNodes,
            boolean onNodes,
            @Nullable Instant started,
            String reason) {
        static Sight of(SlurmJob job) {
            return new Sight(
                    String.join(",", job.states().stream().sorted().toList()),
                    job.is("PENDING"),
                    job.isHeld(),
                    job.hadNodes(),
                    job.isRunning(),
                    job.started(),
                    job.reason());
        }

        static Sight of(QueueLine line) {
            boolean onNodes = line.state().equals("RUNNING") || line.state().equals("CONFIGURING");
            return new Sight(
                    line.state(),
                    line.state().equals("PENDING"),
                    line.priority() == 0,
                    line.hadNodes(),
                    onNodes,
                    line.started(),
                    line.reason());
        }
    }

    JobStarter(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            @Nullable ReservationMirror reservations,
            JobTranslation translation,
            Duration timeout,
            Supplier<Instant> now,
            LongSupplier nanos) {
        this.rest = rest;
        this.commands = commands;
        this.reservations = reservations;
        this.translation = translation;
        this.timeout = timeout;
        this.now = now;
        this.nanos = nanos;
    }

    /** Releases a job, unless that is known to be of no use. */
    void begin(RmCommand command) {
        String id = command.getCommandId();
        if (begun.containsKey(id) || settled.containsKey(id)) {
            return;
        }
        Optional<SlurmJob> job = rest.job(jobOf(command));
        Optional<String> objection = objection(command, job);
        if (objection.isPresent()) {
            settled.put(id, RmAnswer.refused(objection.get()));
            return;
        }
        try {
            release(command, job.orElseThrow());
        } catch (SlurmRefusal e) {
            begun.remove(id);
            settled.put(id, RmAnswer.refused(e.getMessage() + nodesOf(e, command)));
        }
    }

    /** Returns where a job was to go when it was released last; empty when that was long ago or not by this process. */
    List<NodeAllocation> startedOn(String job) {
        return places.getOrDefault(job, List.of());
    }

    private static String nodesOf(SlurmRefusal refusal, RmCommand command) {
        return refusal.error().isUnknownNode() ? " among " + names(command) : "";
    }

    private Optional<String> objection(RmCommand command, Optional<SlurmJob> known) {
        if (known.isEmpty()) {
            return Optional.of("Slurm knows no job " + command.getJobId());
        }
        SlurmJob job = known.get();
        if (!job.isPending()) {
            return Optional.of("the job is "
                    + String.join(",", job.states().stream().sorted().toList()) + ", it does not wait");
        }
        if (command.getAllocation().isEmpty()) {
            return Optional.of("the command names no node");
        }
        return translation.keptBack(job, now.get()).map(JobTranslation.KeptBack::reason);
    }

    private void release(RmCommand command, SlurmJob job) throws SlurmRefusal {
        String id = Long.toString(job.id());
        String commandId = command.getCommandId();
        if (job.restarts() > 0) {
            letCredentialsExpire(job);
        }
        AdminNote note = job.note().without(AdminNote.UNDONE).with(AdminNote.START, commandId, job.restarts());
        boolean noteInRequest = rest.version().usesJobDescription();
        if (!noteInRequest && commands != null) {
            commands.update(id, List.of("AdminComment=" + note.text()));
        }
        @Nullable
        Long minutes = command.getWalltimeSeconds() == null ? null : SlurmJob.minutes(command.getWalltimeSeconds());
        begun.put(commandId, new Begun(commandId, id, nanos.getAsLong()));
        places.put(id, command.getAllocation());
        rest.update(
                id,
                new JobChange(
                        names(command),
                        false,
                        minutes == null || minutes == job.limitMinutes() ? null : minutes,
                        job.restarts() > 0 ? now.get() : null,
                        noteInRequest ? note.text() : null,
                        reservations == null
                                ? null
                                : reservations.admit(
                                        job.user(),
                                        names(command),
                                        now.get(),
                                        now.get()
                                                .plusSeconds(
                                                        minutes != null
                                                                ? minutes * 60
                                                                : Math.max(1, job.limitMinutes()) * 60))));
    }

    /** Waits until a job that was just requeued may start anew. */
    private void letCredentialsExpire(SlurmJob job) {
        Instant requeued = job.submitted();
        long looks = AFTER_REQUEUE.dividedBy(LOOK_EVERY);
        while (requeued != null && now.get().isBefore(requeued.plus(AFTER_REQUEUE)) && looks-- > 0) {
            pause();
        }
    }

    private static List<String> names(RmCommand command) {
        return command.getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .distinct()
                .toList();
    }

    /** Carries a start through to its answer. */
    RmAnswer finish(RmCommand command) {
        begin(command);
        String id = command.getCommandId();
        while (!settled.containsKey(id)) {
            look();
            if (!settled.containsKey(id)) {
                pause();
            }
        }
        return settled.remove(id);
    }

    /** Says whether a start took effect, carrying it through if it is under way. */
    CommandCheck lookup(RmCommand command) {
        String id = command.getCommandId();
        @Nullable RmAnswer known = settled.remove(id);
        begun.remove(id);
        if (known != null) {
            return CommandCheck.answered(known);
        }
        Optional<SlurmJob> found = rest.job(jobOf(command));
        if (found.isEmpty()) {
            return CommandCheck.notDone();
        }
        SlurmJob job = found.get();
        if (job.note().names(AdminNote.UNDONE, id)) {
            return CommandCheck.answered(RmAnswer.refused("the job did not start in time and is held again"));
        }
        if (!job.note().names(AdminNote.START, id)) {
            return writesNotes() ? CommandCheck.notDone() : CommandCheck.unknown();
        }
        int restartsThen = job.note().mark(AdminNote.START).orElseThrow().restarts();
        if (!job.isPending() || job.restarts() > restartsThen) {
            return afterRelease(job, restartsThen);
        }
        if (job.isHeld()) {
            return CommandCheck.notDone();
        }
        begun.put(id, new Begun(id, Long.toString(job.id()), nanos.getAsLong()));
        return CommandCheck.answered(finish(command));
    }

    /** Judges a marked job that does not wait for this start any more. */
    private CommandCheck afterRelease(SlurmJob job, int restartsThen) {
        if (job.restarts() > restartsThen) {
            return CommandCheck.answered(RmAnswer.done(now.get()));
        }
        if (job.isRunning()) {
            keep(List.of(Long.toString(job.id())));
        }
        return job.started() == null || !job.hadNodes()
                ? CommandCheck.notDone()
                : CommandCheck.answered(RmAnswer.done(job.started()));
    }

    private boolean writesNotes() {
        return commands != null || rest.version().usesJobDescription();
    }

    /** Looks at all starts under way and settles those that can be. */
    private void look() {
        Map<String, Sight> sights = sights();
        List<String> running = new ArrayList<>();
        Map<String, RmAnswer> answers = new LinkedHashMap<>();
        for (Begun start : begun.values()) {
            @Nullable Sight sight = sights.get(start.job());
            if (sight == null) {
                answers.put(start.commandId(), RmAnswer.refused("the job vanished from Slurm"));
            } else if (!sight.waits() && !sight.hadNodes()) {
                answers.put(
                        start.commandId(),
                        RmAnswer.refused("the job is " + sight.state() + ", it ended before it started"));
            } else if (!sight.waits()) {
                if (sight.onNodes()) {
                    running.add(start.job());
                }
                answers.put(start.commandId(), RmAnswer.done(sight.started() == null ? now.get() : sight.started()));
            } else if (sight.held()) {
                answers.put(start.commandId(), RmAnswer.refused("the job was held before it started"));
            } else if (isOverdue(start) && rest.uptime().compareTo(SETTLING) > 0) {
                answers.put(start.commandId(), undo(start, sight));
            }
        }
        keep(running);
        settled.putAll(answers);
        begun.keySet().removeAll(answers.keySet());
    }

    private boolean isOverdue(Begun start) {
        return nanos.getAsLong() - start.since() > timeout.toNanos();
    }

    private Map<String, Sight> sights() {
        Map<String, Sight> sights = new HashMap<>();
        if (commands != null && begun.size() > LIST_ABOVE) {
            QueueLine.parse(commands.queue(QueueLine.FORMAT)).forEach((id, line) -> sights.put(id, Sight.of(line)));
        } else {
            for (Begun start : begun.values()) {
                rest.job(start.job()).ifPresent(job -> sights.put(start.job(), Sight.of(job)));
            }
        }
        return sights;
    }

    /** Holds running jobs, so that Slurm never restarts them by itself. */
    void keep(List<String> running) {
        if (running.isEmpty()) {
            return;
        }
        try {
            hold(running);
        } catch (SlurmRefusal e) {
            if (running.size() > 1) {
                running.forEach(job -> keep(List.of(job)));
            } else if (!e.error().isFinished() && !e.error().isUnknownJob()) {
                log.warn("job={} runs but could not be held against restarts: {}", running.get(0), e.getMessage());
            }
        }
    }

    private void hold(List<String> jobs) throws SlurmRefusal {
        if (commands != null) {
            commands.holdAsUser(jobs);
            return;
        }
        for (String job : jobs) {
            rest.update(job, new JobChange(null, true, null, null, null));
        }
    }

    /** Takes a start back; unless the job began after all, between the look and the hold. */
    private RmAnswer undo(Begun start, Sight sight) {
        try {
            hold(List.of(start.job()));
        } catch (SlurmRefusal e) {
            log.info("job={} was not held again: {}", start.job(), e.getMessage());
        }
        Optional<SlurmJob> job = rest.job(start.job());
        if (job.isPresent() && job.get().hadNodes() && job.get().started() != null) {
            return RmAnswer.done(job.get().started());
        }
        job.ifPresent(held -> note(
                held, held.note().without(AdminNote.START).with(AdminNote.UNDONE, start.commandId(), held.restarts())));
        return RmAnswer.refused(
                "Slurm did not start it within " + timeout.toMillis() + " ms: " + sight.reason() + "; held again");
    }

    private void note(SlurmJob job, AdminNote note) {
        String id = Long.toString(job.id());
        try {
            if (commands != null) {
                commands.update(id, List.of("AdminComment=" + note.text()));
            } else if (writesNotes()) {
                rest.update(id, new JobChange(null, null, null, null, note.text()));
            }
        } catch (SlurmRefusal e) {
            log.info("job={} could not be marked: {}", id, e.getMessage());
        }
    }

    private static String jobOf(RmCommand command) {
        return command.getJobId() == null ? "" : command.getJobId();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_EVERY.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableRmException("interrupted while jobs start", e);
        }
    }
}
