package io.weir.rm.slurm;

import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Slurm behind the SPI. Jobs arrive held by Weir's {@code job_submit.lua}; Weir starts them where it decided. Before a
 * command changes anything its id is written on the job, so that a later process can tell whether it took effect. One
 * thread.
 */
final class SlurmResourceManager implements ResourceManager {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** What slurmrestd can do without the commands; what it cannot is listed by {@link #ALL}. */
    private static final Set<CommandKind> BY_REST = EnumSet.of(CommandKind.START_JOB, CommandKind.CANCEL_JOB);

    private static final Set<CommandKind> ALL = EnumSet.of(
            CommandKind.START_JOB,
            CommandKind.CANCEL_JOB,
            CommandKind.REQUEUE_JOB,
            CommandKind.HOLD_JOB,
            CommandKind.RELEASE_JOB,
            CommandKind.SUSPEND_JOB,
            CommandKind.RESUME_JOB,
            CommandKind.MODIFY_JOB,
            CommandKind.SIGNAL_JOB,
            CommandKind.ADD_NODES,
            CommandKind.REMOVE_NODES,
            CommandKind.DRAIN_NODE,
            CommandKind.RESUME_NODE,
            CommandKind.MODIFY_NODE,
            CommandKind.CREATE_RESERVATION,
            CommandKind.RELEASE_RESERVATION);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final SlurmConfig config;
    private final ClusterView view;
    private final @Nullable ReservationMirror reservations;
    private final JobStarter starter;
    private final SlurmClock clock;

    private SlurmResourceManager(
            String cluster, SlurmConfig config, SlurmRest rest, @Nullable SlurmCommands commands, SlurmClock clock) {
        JobTranslation translation = new JobTranslation(cluster, commands == null);
        this.config = config;
        this.rest = rest;
        this.commands = commands;
        this.clock = clock;
        this.view = new ClusterView(
                rest,
                commands,
                translation,
                new NodeTranslation(cluster, config.reportLoad(), config.reportUsage()),
                config.fetchAllAbove());
        this.reservations = commands == null ? null : new ReservationMirror(commands);
        this.starter = new JobStarter(
                rest, commands, reservations, translation, config.startTimeout(), clock::now, System::nanoTime);
    }

    /** Opens a connection; Slurm need not be there yet. */
    static SlurmResourceManager open(String cluster, SlurmConfig config) {
        RestTransport transport;
        if (config.address() != null) {
            transport = new TcpTransport(config.address(), config.user(), config.tokenFile(), config.requestTimeout());
        } else if (config.socket() != null) {
            transport = new UnixSocketTransport(config.socket());
        } else {
            throw new IllegalArgumentException("neither socket nor address in " + config);
        }
        return open(cluster, config, transport);
    }

    /** Opens a connection that reaches slurmrestd by {@code transport}. */
    static SlurmResourceManager open(String cluster, SlurmConfig config, RestTransport transport) {
        @Nullable
        SlurmCommands commands = config.commands()
                ? new SlurmCommands(config.commandDirectory(), config.slurmConf(), config.requestTimeout())
                : null;
        return new SlurmResourceManager(
                cluster,
                config,
                new SlurmRest(transport, config.restVersion(), config.requestTimeout()),
                commands,
                new SlurmClock(InstantSource.system()));
    }

    @Override
    public RmCapabilities capabilities() {
        return new RmCapabilities(SlurmProvider.TYPE, rest.slurmVersion(), commands == null ? BY_REST : ALL);
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public Poll poll() {
        clock.compare(rest);
        Instant now = clock.now();
        List<NodeReport> nodes = view.nodes(now);
        return new Poll(now, nodes, view.jobs(now));
    }

    @Override
    public void announce(List<RmCommand> starts) {
        starts.forEach(starter::begin);
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        if (command.getKind() == CommandKind.START_JOB) {
            return starter.lookup(command);
        }
        if (command.getJobId() == null) {
            return isInEffect(command) ? CommandCheck.answered(RmAnswer.done(clock.now())) : CommandCheck.notDone();
        }
        // What becomes of a job that is leaving its nodes, the end or the queue, shows when it has.
        Optional<SlurmJob> found = rest.job(jobOf(command)).flatMap(job -> await(job, now -> !now.isCompleting()));
        if (command.getKind() == CommandKind.ADD_NODES) {
            found.ifPresent(job -> new JobResizer(rest, control()).undoHalfDone(job));
        }
        return found.isPresent() && isInEffect(command, found.get())
                ? CommandCheck.answered(RmAnswer.done(effectTime(command, found.get())))
                : CommandCheck.notDone();
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
                                .filter(limit -> minutes(limit) == job.limitMinutes())
                                .isPresent();
            case ADD_NODES -> nodes(job).containsAll(nodes(command));
            case REMOVE_NODES -> job.isRunning() && nodes(job).stream().noneMatch(nodes(command)::contains);
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
        return switch (command.getKind()) {
            case CREATE_RESERVATION -> mirror().exists(ReservationMirror.nameOf(command));
            case RELEASE_RESERVATION -> !mirror().exists(ReservationMirror.nameOf(command));
            default ->
                node(command)
                        .filter(node -> NodeControl.isInEffect(command, node))
                        .isPresent();
        };
    }

    private Optional<SlurmNode> node(RmCommand command) {
        return rest.nodes(null).orElseGet(List::of).stream()
                .filter(node -> node.name().equals(command.getObjectId()))
                .findFirst();
    }

    private static Set<String> nodes(SlurmJob job) {
        return job.allocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }

    private static Set<String> nodes(RmCommand command) {
        return command.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }

    private static long minutes(long seconds) {
        return (seconds + 59) / 60;
    }

    private ReservationMirror mirror() {
        if (reservations == null) {
            throw new IllegalStateException("a command that needs scontrol got here with rm.slurm.commands=false");
        }
        return reservations;
    }

    private Instant effectTime(RmCommand command, SlurmJob job) {
        return command.getKind() == CommandKind.CANCEL_JOB && job.end() != null ? job.end() : clock.now();
    }

    @Override
    public RmAnswer execute(RmCommand command) {
        String job = jobOf(command);
        view.touch(job);
        if (command.getKind() == CommandKind.START_JOB) {
            return starter.finish(command);
        }
        try {
            if (command.getJobId() == null) {
                return carryOutWithoutJob(command);
            }
            Optional<SlurmJob> found = rest.job(job);
            return found.isEmpty() ? RmAnswer.refused("Slurm knows no job " + job) : carryOut(command, found.get());
        } catch (IllegalArgumentException e) {
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        } catch (SlurmRefusal e) {
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        }
    }

    private RmAnswer carryOut(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (job.hasEnded()) {
            return RmAnswer.refused("the job has ended: "
                    + String.join(",", job.states().stream().sorted().toList()));
        }
        return switch (command.getKind()) {
            case CANCEL_JOB -> cancel(job);
            case REQUEUE_JOB -> requeue(command, job, control());
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

    private RmAnswer carryOutWithoutJob(RmCommand command) throws SlurmRefusal {
        switch (command.getKind()) {
            case CREATE_RESERVATION -> mirror().create(command, clock.now());
            case RELEASE_RESERVATION -> mirror().release(command);
            default -> {
                return new NodeControl(control()).carryOut(command, clock.now());
            }
        }
        return RmAnswer.done(clock.now());
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
        control.update(idOf(job), List.of("TimeLimit=" + minutes(limit.get())));
        return RmAnswer.done(clock.now());
    }

    private RmAnswer grow(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (!job.isRunning() || command.getAllocation().isEmpty()) {
            return RmAnswer.refused("only a running job gets more nodes, and they have to be named");
        }
        JobResizer resizer = new JobResizer(rest, control());
        Set<String> has = nodes(job);
        for (NodeAllocation more : command.getAllocation()) {
            if (!has.contains(more.getNodeId())) {
                resizer.add(job, more.getNodeId(), more.getProcs());
            }
        }
        return RmAnswer.done(clock.now());
    }

    private RmAnswer shrink(RmCommand command, SlurmJob job) throws SlurmRefusal {
        if (!job.isRunning()) {
            return RmAnswer.refused("only a running job gives nodes back");
        }
        new JobResizer(rest, control()).remove(job, nodes(command));
        return RmAnswer.done(clock.now());
    }

    private RmAnswer cancel(SlurmJob job) throws SlurmRefusal {
        rest.cancel(idOf(job));
        Optional<SlurmJob> after = await(job, SlurmJob::hasEnded);
        return RmAnswer.done(after.map(SlurmJob::end).orElseGet(clock::now));
    }

    private RmAnswer signal(RmCommand command, SlurmJob job) throws SlurmRefusal {
        Optional<String> signal = CommandArguments.find(command, CommandArguments.SIGNAL);
        if (signal.isEmpty() || !job.isRunning()) {
            return RmAnswer.refused(signal.isEmpty() ? "no signal is named" : "only a running job gets signals");
        }
        rest.signal(idOf(job), signal.get());
        return RmAnswer.done(clock.now());
    }

    /** The clean way: requeued held, as its user would hold it, and free to begin at once when Weir starts it. */
    private RmAnswer requeue(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        if (job.isPending()) {
            return RmAnswer.refused("the job waits already");
        }
        String id = idOf(job);
        note(control, job, job.note().with(AdminNote.REQUEUE, command.getCommandId(), job.restarts()));
        control.requeueHeld(id);
        Optional<SlurmJob> after = await(job, SlurmJob::isPending);
        if (after.isPresent() && after.get().isPending()) {
            control.update(id, List.of("StartTime=now"));
            control.holdAsUser(List.of(id));
        }
        return RmAnswer.done(clock.now());
    }

    private RmAnswer hold(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        if (!job.isHeld()) {
            control.holdAsUser(List.of(idOf(job)));
        }
        note(
                control,
                job,
                job.note().without(AdminNote.RELEASE).with(AdminNote.HOLD, command.getCommandId(), job.restarts()));
        return RmAnswer.done(clock.now());
    }

    /** Lifts every hold, its user's and an administrator's too; in Slurm the job stays held, for Weir. */
    private RmAnswer release(RmCommand command, SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        String id = idOf(job);
        if (JobTranslation.isHeldByAdmin(job)) {
            control.holdAsUser(List.of(id));
        }
        List<String> fields = new ArrayList<>();
        if (job.comment() != null && JobTranslation.isMarked(job.comment())) {
            String rest = job.comment()
                    .substring(JobTranslation.HELD_BY_USER.length())
                    .strip();
            // Slurm does not take an empty comment for a change.
            fields.add("Comment=" + (rest.isEmpty() ? " " : rest));
        }
        AdminNote note =
                job.note().without(AdminNote.HOLD).with(AdminNote.RELEASE, command.getCommandId(), job.restarts());
        fields.add("AdminComment=" + note.text());
        control.update(id, fields);
        return RmAnswer.done(clock.now());
    }

    private RmAnswer suspend(SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        control.suspend(idOf(job));
        return RmAnswer.done(clock.now());
    }

    /** Resuming lifts the hold that keeps Slurm from restarting the job, so it is set again. */
    private RmAnswer resume(SlurmJob job, SlurmCommands control) throws SlurmRefusal {
        control.resume(idOf(job));
        starter.keep(List.of(idOf(job)));
        return RmAnswer.done(clock.now());
    }

    private static void note(SlurmCommands control, SlurmJob job, AdminNote note) throws SlurmRefusal {
        control.update(idOf(job), List.of("AdminComment=" + note.text()));
    }

    private SlurmCommands control() {
        if (commands == null) {
            throw new IllegalStateException("a command that needs scontrol got here with rm.slurm.commands=false");
        }
        return commands;
    }

    /** Waits until the job is as wanted, as long as the settings allow; returns it as it is then. */
    private Optional<SlurmJob> await(SlurmJob job, Predicate<SlurmJob> wanted) {
        long deadline = System.nanoTime() + config.endTimeout().toNanos();
        Optional<SlurmJob> now = rest.job(idOf(job));
        while (now.isPresent() && !wanted.test(now.get()) && System.nanoTime() - deadline < 0) {
            try {
                Thread.sleep(LOOK_EVERY.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RetriableRmException("interrupted while job " + job.id() + " leaves its nodes", e);
            }
            now = rest.job(idOf(job));
        }
        return now;
    }

    private static String idOf(SlurmJob job) {
        return Long.toString(job.id());
    }

    private static String jobOf(RmCommand command) {
        return command.getJobId() == null ? "" : command.getJobId();
    }

    @Override
    public void close() {
        rest.close();
        if (commands != null) {
            commands.close();
        }
    }
}
