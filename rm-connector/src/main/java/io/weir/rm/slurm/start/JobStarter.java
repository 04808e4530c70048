package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.JobChange;
import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.Wishes;
import io.weir.rm.slurm.control.ReservationMirror;
import io.weir.rm.slurm.control.RestartHold;
import io.weir.rm.slurm.translate.NodePartitions;
import io.weir.rm.slurm.translate.SlurmJobTranslation;
import io.weir.rm.slurm.translate.StartObstacle;
import io.weir.rm.slurm.translate.StartObstacles;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts held jobs on named nodes. The id of the command goes on the job first, then one request names the nodes and
 * lifts the hold; Slurm's next pass runs the job. What follows is {@link PendingStarts}' business.
 *
 * <pre>
 *   held ──note──► held, marked ──release──► pending ──Slurm──► running: DONE
 *     ▲                                        │ too late
 *     └──────────────── hold ──────────────────┘ REFUSED
 * </pre>
 *
 * One thread.
 */
public final class JobStarter {
    /**
     * A node's daemon refuses credentials of a job that are not younger than the last end of that job there, and the job
     * fails. Slurm tells whole seconds, and clocks may differ by one.
     */
    private static final Duration AFTER_REQUEUE = Duration.ofSeconds(3);

    private static final int PLACES_KEPT = 10_000;

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final @Nullable ReservationMirror reservations;
    private final SlurmJobTranslation translation;
    private final NodePartitions partitions;
    private final PendingStarts pending;
    private final RestartHold holds;
    private final NoteWriter notes;
    private final StartObstacles obstacles;
    private final Supplier<Instant> now;
    private final AccountingBacklog backlog = new AccountingBacklog();

    /** Where the jobs were to go that were released last, by job. */
    private final Map<String, List<NodeAllocation>> places = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<NodeAllocation>> eldest) {
            return size() > PLACES_KEPT;
        }
    };

    public JobStarter(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            @Nullable ReservationMirror reservations,
            SlurmJobTranslation translation,
            NodePartitions partitions,
            PendingStarts pending,
            RestartHold holds,
            NoteWriter notes,
            StartObstacles obstacles,
            Supplier<Instant> now) {
        this.rest = rest;
        this.commands = commands;
        this.reservations = reservations;
        this.translation = translation;
        this.partitions = partitions;
        this.pending = pending;
        this.holds = holds;
        this.notes = notes;
        this.obstacles = obstacles;
        this.now = now;
    }

    /** Releases a job, unless that is known to be of no use. A job that was just requeued is released a little later. */
    public Execution start(RmCommand command) {
        List<SlurmJob> records = toStart(command);
        Optional<String> objection = objection(command, records);
        if (objection.isPresent()) {
            return RmAnswer.refusedForJob(objection.get());
        }
        Duration delay = credentialsExpireIn(records.get(0));
        return delay.isZero() ? startInTurn(command, records) : new DelayedStart(delay, () -> startLate(command));
    }

    /** Begins to read the jobs of commands that are started in a moment, unless they are known well enough. */
    public void expect(List<RmCommand> starts) {
        rest.readAhead(starts.stream().map(JobStarter::jobOf).toList());
    }

    private Execution startLate(RmCommand command) {
        List<SlurmJob> records = toStart(command);
        Optional<String> objection = objection(command, records);
        if (objection.isPresent()) {
            pending.forget(command.getCommandId());
            return RmAnswer.refusedForJob(objection.get());
        }
        return startInTurn(command, records);
    }

    private Execution startInTurn(RmCommand command, List<SlurmJob> records) {
        List<StartedPart> parts = StartedPart.of(command, records);
        return pending.mayBegin(command.getCommandId(), parts)
                ? start(command, records)
                : new DelayedStart(pending.pause(), () -> ask(command, parts));
    }

    /** Asks again whether it is the turn of a start, which costs no call; if so, the job is looked at once more. */
    private Execution ask(RmCommand command, List<StartedPart> parts) {
        return pending.mayBegin(command.getCommandId(), parts)
                ? startLate(command)
                : new DelayedStart(pending.pause(), () -> ask(command, parts));
    }

    /** Returns the job of a command that nothing was done for yet; a task of an array need not be read with all others each time. */
    private List<SlurmJob> toStart(RmCommand command) {
        String job = jobOf(command);
        Optional<SlurmJob> task = places.containsKey(job) ? Optional.empty() : rest.waitingTask(job);
        return task.isPresent() ? List.of(task.get()) : records(command);
    }

    /**
     * Returns the job of a command: of a heterogeneous one all components, the first one first; nothing when Slurm does not know
     * it.
     */
    private List<SlurmJob> records(RmCommand command) {
        Optional<SlurmJob> job = rest.job(jobOf(command));
        @Nullable JobComponent component = job.map(SlurmJob::component).orElse(null);
        return component == null
                ? job.stream().toList()
                : rest.records(component.whole()).stream()
                        .sorted(Comparator.comparingLong(SlurmJob::id))
                        .toList();
    }

    private Execution start(RmCommand command, List<SlurmJob> records) {
        SlurmJob job = records.get(0);
        if (backlog.includes(job, now.get())) {
            pending.forget(command.getCommandId());
            obstacles.met(job, StartObstacle.UNREGISTERED, now.get());
            return RmAnswer.refusedForNow("slurmdbd has not registered a job before it, Slurm would only wait");
        }
        try {
            PendingStart start = release(command, records);
            if (backlog.accepted(job)) {
                obstacles.end(StartObstacle.UNREGISTERED, now.get());
            }
            return start;
        } catch (SlurmRefusal e) {
            pending.forget(command.getCommandId());
            records(command).stream().filter(SlurmJob::isPending).forEach(notes::restore);
            if (e.error().isUnregistered()) {
                backlog.refused(job, now.get());
                obstacles.met(job, StartObstacle.UNREGISTERED, now.get());
                return RmAnswer.refusedForNow(e.error().explanation());
            }
            if (e.error().isOfScrontab()) {
                obstacles.met(job, StartObstacle.OF_SCRONTAB, now.get());
                return RmAnswer.refusedForNow(e.error().explanation());
            }
            return e.error().isUnknownNode()
                    ? RmAnswer.refused(e.getMessage() + " among " + names(command))
                    : RmAnswer.refusedForJob(String.valueOf(e.getMessage()));
        }
    }

    /** Returns where a job was to go when it was released last; empty when that was long ago or not by this process. */
    public List<NodeAllocation> startedOn(String job) {
        return places.getOrDefault(job, List.of());
    }

    /**
     * Holds a job that waits again, as after the failure of a node, and puts back what its user asked for: otherwise Slurm would
     * restart it on the nodes of its last start, or it would wait for them. A job that was released and has not run is left
     * alone: that may be a start of an earlier process. One that was requeued held by somebody else is its user's hold.
     */
    public void settle(SlurmJob job) {
        String id = job.key();
        if (!job.isPending() || pending.isStarting(id)) {
            return;
        }
        AdminNote note = SlurmJobTranslation.isRequeuedHeld(job) ? notes.holdRequeued(job) : job.note();
        if (note.asked().isEmpty()) {
            return;
        }
        if (!job.isHeld()) {
            if (!wasRequeued(job)) {
                return;
            }
            holds.keep(List.of(id));
        }
        notes.restore(job, note);
    }

    /** Says whether the job waits again since it was started last. */
    private static boolean wasRequeued(SlurmJob job) {
        return job.note()
                .mark(AdminNote.START)
                .filter(start -> job.restarts() > start.restarts())
                .isPresent();
    }

    private Optional<String> objection(RmCommand command, List<SlurmJob> records) {
        if (records.isEmpty()) {
            return Optional.of("Slurm knows no job " + command.getJobId());
        }
        for (SlurmJob job : records) {
            if (!job.isPending()) {
                return Optional.of("the job is "
                        + String.join(",", job.states().stream().sorted().toList()) + ", it does not wait");
            }
        }
        for (StartedPart part : StartedPart.of(command, records)) {
            if (part.allocation().isEmpty()) {
                return Optional.of(
                        records.size() == 1
                                ? "the command names no node"
                                : "the command names no node for component " + part.job());
            }
        }
        return records.stream()
                .flatMap(job -> translation.keptBack(job, now.get()).stream())
                .map(SlurmJobTranslation.KeptBack::reason)
                .findFirst();
    }

    /** Writes into each record where it goes, and releases all of them with one word, so that none is started alone. */
    private PendingStart release(RmCommand command, List<SlurmJob> records) throws SlurmRefusal {
        List<StartedPart> parts = StartedPart.of(command, records);
        @Nullable JobChange change = null;
        for (int i = 0; i < parts.size(); i++) {
            change = prepare(command, records.get(i), parts.get(i));
        }
        String id = records.get(0).key();
        PendingStart start = pending.add(command.getCommandId(), parts);
        parts.forEach(part -> places.put(part.job(), part.allocation()));
        if (commands == null && change != null) {
            rest.update(id, change);
        } else if (commands != null) {
            commands.release(id);
        }
        return start;
    }

    /** Writes into a held job where it is to go; returns what does so and releases it where there are no commands. */
    private @Nullable JobChange prepare(RmCommand command, SlurmJob job, StartedPart part) throws SlurmRefusal {
        List<String> nodes = part.nodes();
        String commandId = command.getCommandId();
        @Nullable
        Long minutes = command.getWalltimeSeconds() == null ? null : SlurmJob.minutes(command.getWalltimeSeconds());
        @Nullable Long limit = minutes == null || isLimitOf(job, minutes) ? null : minutes;
        Wishes asked = job.wishes();
        AdminNote note = job.note()
                .without(AdminNote.UNDONE)
                .without(AdminNote.BEGIN)
                .with(AdminNote.START, commandId, job.restarts())
                .keeping(limit == null ? asked : asked.withLimit(job.limitMinutes(), limit));
        @Nullable
        String reservation = reservations == null
                ? null
                : reservations.admit(
                        job.user(),
                        nodes,
                        now.get(),
                        now.get().plusSeconds((minutes != null ? minutes : Math.max(1, job.limitMinutes())) * 60));
        boolean early = job.eligible() != null && job.eligible().isAfter(now.get());
        @Nullable Instant begin = job.restarts() > 0 || early ? now.get() : null;
        if (commands != null) {
            commands.updateInSession(
                    job.alone(),
                    JobComponent.changeable(job.alone(), terms(job, note, part, asked, limit, begin, reservation)));
            if (JobComponent.isFirst(job.alone())) {
                rest.update(job.alone(), NodeChange.to(nodes));
            }
            return null;
        }
        @Nullable String comment = rest.version().usesJobDescription() ? note.text() : null;
        return new JobChange(nodes, false, limit, begin, comment, reservation);
    }

    /** Says whether the job keeps its time limit; each component has its own, of which the longest is the job's. */
    private static boolean isLimitOf(SlurmJob job, long minutes) {
        return job.component() == null ? minutes == job.limitMinutes() : minutes >= job.limitMinutes();
    }

    /**
     * Returns what a start writes into the held job. The most of nodes is told, for without it Slurm takes further nodes when those
     * named have too little left at that moment; but not of a job that has no use for them, because for each such change scontrol
     * asks Slurm twice more.
     */
    private List<String> terms(
            SlurmJob job,
            AdminNote note,
            StartedPart part,
            Wishes asked,
            @Nullable Long limit,
            @Nullable Instant begin,
            @Nullable String reservation) {
        List<String> nodes = part.nodes();
        List<String> fields = new ArrayList<>();
        fields.add("AdminComment=" + note.text());
        fields.add("ReqNodeList=" + HostList.compress(nodes));
        Wishes written = job.written();
        boolean counted = written.leastNodes() == nodes.size() && written.mostNodes() == nodes.size();
        boolean tells = (!counted && !job.staysOnOneNode()) || job.restarts() > 0;
        if (tells && !job.sharesProcessors()) {
            fields.add("NumNodes=" + nodes.size() + "-" + nodes.size());
        }
        if (asked.severalPartitions()) {
            List<String> having = partitions.having(part.allocation(), job.partitions());
            fields.add("Partition=" + String.join(",", obstacles.triable(job, having, now.get())));
        }
        if (job.note().oneSwitchSeconds() > 0 && partitions.areOnSeveralSwitches(nodes)) {
            // It has waited for those of one switch.
            fields.add("Switches=1@0");
        }
        if (asked.preferred() != null) {
            // Slurm would try other nodes first, and not these in the same pass.
            fields.add("Prefer=");
        }
        if (limit != null) {
            fields.add("TimeLimit=" + (limit >= SlurmJob.UNLIMITED_MINUTES ? "UNLIMITED" : limit));
        }
        if (begin != null) {
            fields.add("StartTime=now");
        }
        if (reservation != null) {
            fields.add("ReservationName=" + reservation);
        }
        return fields;
    }

    /**
     * Returns how long to wait until a job that was just requeued may start anew: by the controller's own clock, for that of this
     * process does not go back when the controller's is set back.
     */
    private Duration credentialsExpireIn(SlurmJob job) {
        @Nullable Instant requeued = job.restarts() > 0 ? job.submitted() : null;
        if (requeued == null) {
            return Duration.ZERO;
        }
        Duration left = Duration.between(rest.clock(), requeued.plus(AFTER_REQUEUE));
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(AFTER_REQUEUE) < 0 ? left : AFTER_REQUEUE;
    }

    private static List<String> names(RmCommand command) {
        return command.getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .distinct()
                .toList();
    }

    /** Says whether a start took effect, carrying it through if it is under way. */
    public CommandCheck lookup(RmCommand command) {
        String id = command.getCommandId();
        pending.forget(id);
        List<SlurmJob> records = records(command);
        if (records.isEmpty()) {
            return CommandCheck.notDone();
        }
        SlurmJob job = records.get(0);
        if (job.note().names(AdminNote.UNDONE, id)) {
            return CommandCheck.answered(RmAnswer.refused("the job did not start in time and is held again"));
        }
        if (!job.note().names(AdminNote.START, id)) {
            return notes.isAble() ? CommandCheck.notDone() : CommandCheck.unknown();
        }
        int restartsThen = job.note().mark(AdminNote.START).orElseThrow().restarts();
        if (!job.isPending() || job.restarts() > restartsThen) {
            return afterRelease(job, restartsThen);
        }
        return job.isHeld()
                ? CommandCheck.notDone()
                : CommandCheck.ongoing(pending.add(id, StartedPart.of(command, records)));
    }

    /** Judges a marked job that does not wait for this start any more. */
    private CommandCheck afterRelease(SlurmJob job, int restartsThen) {
        if (job.restarts() > restartsThen) {
            return CommandCheck.answered(PendingStarts.ranUntilRequeued(job, now.get()));
        }
        if (job.isRunning()) {
            holds.keepRunning(List.of(job.key()));
        }
        return job.started() == null || !job.hadNodes()
                ? CommandCheck.notDone()
                : CommandCheck.answered(RmAnswer.done(job.started()));
    }

    private static String jobOf(RmCommand command) {
        return command.getJobId() == null ? "" : command.getJobId();
    }
}
