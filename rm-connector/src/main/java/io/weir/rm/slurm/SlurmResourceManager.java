package io.weir.rm.slurm;

import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.TcpTransport;
import io.weir.rm.slurm.client.UnixSocketTransport;
import io.weir.rm.slurm.control.CommandEvidence;
import io.weir.rm.slurm.control.JobControl;
import io.weir.rm.slurm.control.NodeControl;
import io.weir.rm.slurm.control.ReservationMirror;
import io.weir.rm.slurm.control.RestartHold;
import io.weir.rm.slurm.start.JobStarter;
import io.weir.rm.slurm.start.NoteWriter;
import io.weir.rm.slurm.start.PendingStarts;
import io.weir.rm.slurm.translate.ClusterView;
import io.weir.rm.slurm.translate.NodePartitions;
import io.weir.rm.slurm.translate.SlurmJobTranslation;
import io.weir.rm.slurm.translate.SlurmNodeTranslation;
import io.weir.rm.slurm.translate.StartObstacles;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slurm behind the SPI. Jobs arrive held by Weir's {@code job_submit.lua}; Weir starts them where it decided. Before a
 * command changes anything its id is written on the job, so that a later process can tell whether it took effect. One
 * thread.
 */
final class SlurmResourceManager implements ResourceManager {
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
    private final ClusterView view;
    private final @Nullable ReservationMirror reservations;
    private final JobStarter starter;
    private final JobControl jobs;
    private final CommandEvidence evidence;
    private final SlurmClock clock;
    private long polls;

    private SlurmResourceManager(
            String cluster, SlurmConfig config, SlurmRest rest, @Nullable SlurmCommands commands, SlurmClock clock) {
        NodePartitions partitions = new NodePartitions();
        StartObstacles obstacles = new StartObstacles();
        SlurmJobTranslation translation = new SlurmJobTranslation(cluster, commands == null, obstacles, partitions);
        this.rest = rest;
        this.commands = commands;
        this.clock = clock;
        this.reservations = commands == null ? null : new ReservationMirror(commands);
        RestartHold holds = new RestartHold(rest, commands);
        NoteWriter notes = new NoteWriter(rest, commands);
        PendingStarts pending = new PendingStarts(
                rest, commands, holds, notes, obstacles, config.startTimeout(), clock::now, System::nanoTime);
        this.starter = new JobStarter(
                rest, commands, reservations, translation, partitions, pending, holds, notes, obstacles, clock::now);
        this.view = new ClusterView(
                rest,
                commands,
                translation,
                new SlurmNodeTranslation(cluster, config.reportLoad(), config.reportUsage()),
                obstacles,
                partitions,
                config.fetchAllAbove(),
                starter::startedOn,
                pending::isStarting,
                starter::settle,
                pending::listed);
        this.jobs =
                new JobControl(rest, commands, holds, config.endTimeout(), clock::now, System::nanoTime, () -> polls);
        this.evidence = new CommandEvidence(rest, jobs, this::mirror, clock::now);
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
        rest.forgetAhead();
        clock.compare(rest);
        Instant now = clock.now();
        view.nodes(now);
        List<JobReport> jobs = view.jobs(now);
        if (view.nodesTaken()) {
            // Whether they failed is seen on the nodes, and only if these are looked at after the job.
            view.nodes(now);
        }
        polls++;
        return new Poll(now, view.latestNodes(), jobs);
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        return touching(
                jobOf(command),
                command.getKind() == CommandKind.START_JOB ? starter.lookup(command) : evidence.check(command));
    }

    private ReservationMirror mirror() {
        if (reservations == null) {
            throw new IllegalStateException("a command that needs scontrol got here with rm.slurm.commands=false");
        }
        return reservations;
    }

    @Override
    public void expect(List<RmCommand> commands) {
        starter.expect(commands);
    }

    @Override
    public Execution execute(RmCommand command) {
        String job = jobOf(command);
        if (command.getKind() == CommandKind.START_JOB) {
            return start(job, command);
        }
        view.touch(job);
        Execution execution = carryOut(command);
        return execution instanceof Ongoing ongoing ? touching(job, ongoing) : execution;
    }

    /** A start that goes as told shows in the listing of the queue: the job need not be looked at once more. */
    private Execution start(String job, RmCommand command) {
        Execution execution = starter.start(command);
        if (execution instanceof Ongoing ongoing) {
            return touchingUnlessDone(job, ongoing);
        }
        view.touch(job);
        return execution;
    }

    private Ongoing touchingUnlessDone(String job, Ongoing start) {
        return new Ongoing() {
            @Override
            public Duration pause() {
                return start.pause();
            }

            @Override
            public boolean isUnderWay() {
                return start.isUnderWay();
            }

            @Override
            public CommandCheck look() {
                CommandCheck check = start.look();
                if (check.ongoing() != null) {
                    return CommandCheck.ongoing(touchingUnlessDone(job, check.ongoing()));
                }
                boolean runs = check.answer() != null && check.answer().outcome() == CommandOutcome.DONE;
                return runs ? check : touching(job, check);
            }
        };
    }

    /** Has the view look again at the job when the command comes to its end. */
    private Ongoing touching(String job, Ongoing ongoing) {
        return new Ongoing() {
            @Override
            public Duration pause() {
                return ongoing.pause();
            }

            @Override
            public boolean isUnderWay() {
                return ongoing.isUnderWay();
            }

            @Override
            public CommandCheck look() {
                return touching(job, ongoing.look());
            }
        };
    }

    private CommandCheck touching(String job, CommandCheck check) {
        if (check.ongoing() != null) {
            return CommandCheck.ongoing(touching(job, check.ongoing()));
        }
        view.touch(job);
        return check;
    }

    private Execution carryOut(RmCommand command) {
        String job = jobOf(command);
        try {
            if (command.getJobId() == null) {
                return carryOutWithoutJob(command);
            }
            Optional<SlurmJob> found = command.getKind() == CommandKind.CANCEL_JOB
                    ? rest.waitingTask(job).or(() -> rest.job(job))
                    : rest.job(job);
            return found.isEmpty()
                    ? RmAnswer.refused("Slurm knows no job " + job)
                    : jobs.carryOut(command, found.get());
        } catch (IllegalArgumentException e) {
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        } catch (SlurmRefusal e) {
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        }
    }

    private RmAnswer carryOutWithoutJob(RmCommand command) throws SlurmRefusal {
        if (command.getKind() == CommandKind.CREATE_RESERVATION) {
            List<String> leftOut = mirror().create(command, clock.now());
            return new RmAnswer(
                    CommandOutcome.DONE,
                    clock.now(),
                    leftOut.isEmpty() ? null : "without " + String.join(",", leftOut) + ": unknown to Slurm");
        }
        if (command.getKind() == CommandKind.RELEASE_RESERVATION) {
            mirror().release(command);
            return RmAnswer.done(clock.now());
        }
        return new NodeControl(control()).carryOut(command, clock.now());
    }

    private SlurmCommands control() {
        if (commands == null) {
            throw new IllegalStateException("a command that needs scontrol got here with rm.slurm.commands=false");
        }
        return commands;
    }

    @Override
    public Optional<List<JobReport>> look(Set<String> numbers) {
        return view.look(numbers, clock.now());
    }

    @Override
    public Set<String> settling() {
        return view.settling(clock.now());
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
