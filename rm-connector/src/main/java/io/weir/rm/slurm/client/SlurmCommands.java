package io.weir.rm.slurm.client;

import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import io.weir.rm.spi.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * squeue and scontrol: for the queue, which they list far cheaper than slurmrestd, and for what slurmrestd cannot do. A
 * command has a time limit and its output is bounded. One calling thread.
 */
public final class SlurmCommands implements AutoCloseable {
    /** Of more users than this, all are asked for. */
    private static final int MOST_USERS_NAMED = 1_000;

    /** slurmctld looks for five seconds whether a job is registered, before it says that it cannot change it. */
    private static final Duration CHANGES_TAKE = Duration.ofSeconds(7);

    private static final int LONGEST_OUTPUT = 64 << 20;

    /** Any priority of its own tells job_submit.lua that the job is Weir's; it is given by root only. */
    private static final int EXPANSION_PRIORITY = 100_000;

    /** What squeue tells of a job only in the long form of its listing, from the number of the record on. */
    private static final String UNLISTED =
            "JobID:12,NumTasks:12,cpus-per-task:12,MaxNodes:12,tres-per-job:96,tres-per-task:96,"
                    + "tres-per-socket:96,cpus-per-tres:96,mem-per-tres:96,Contiguous:4,Requeue:4,MinTime:20,Deadline:24";

    private static final Pattern PADDING = Pattern.compile(" {2,}");

    private static final Pattern UNLISTED_LINE = Pattern.compile("(\\d{1,10}) (.*)");

    private static final Pattern GRANTED = Pattern.compile("Granted job allocation (\\d+)");

    private final @Nullable Path directory;
    private final @Nullable Path slurmConf;
    private final Duration timeout;
    private final Duration changeTimeout;
    private final ControlSession session;
    private final Set<String> haveRun = new HashSet<>();
    private @Nullable String releasedLast;
    private final ExecutorService readers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "slurm-command-output");
        thread.setDaemon(true);
        return thread;
    });

    public SlurmCommands(@Nullable Path directory, @Nullable Path slurmConf, Duration timeout) {
        this.directory = directory;
        this.slurmConf = slurmConf;
        this.timeout = timeout;
        this.changeTimeout = forChanges(timeout);
        this.session = new ControlSession(() -> builder(List.of("scontrol")), changeTimeout, System::nanoTime);
    }

    /** Returns how long a change may take where other requests may take {@code limit}. */
    static Duration forChanges(Duration limit) {
        return limit.compareTo(CHANGES_TAKE) < 0 ? CHANGES_TAKE : limit;
    }

    private record Ending(int code, String output, String errors) {}

    /** Lists the queue by the jobs' ids, those that ended recently included. */
    public Map<String, QueueLine> queue() {
        String mark = QueueLine.newMark();
        ProcessBuilder squeue = builder(List.of("squeue", "--noheader", "--all", "--array", "--states=all"));
        // Other users of this host see the words of a command, but not its environment.
        squeue.environment().put("SQUEUE_FORMAT", QueueLine.format(mark));
        Ending ending = run(squeue, timeout);
        if (ending.code() != 0) {
            throw new RetriableRmException("squeue ended with " + ending.code() + ": " + words(ending));
        }
        return QueueLine.parse(mark, ending.output());
    }

    /**
     * Returns what {@link #queue} does not tell of waiting jobs, by the numbers of their records, as texts to compare; empty where
     * squeue does not say.
     */
    public Map<String, String> unlisted() {
        Ending ending =
                run(builder(List.of("squeue", "--noheader", "--all", "--states=PD", "--Format=" + UNLISTED)), timeout);
        Map<String, String> terms = new HashMap<>();
        ending.output()
                .lines()
                .map(UNLISTED_LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line ->
                        terms.put(line.group(1), PADDING.matcher(line.group(2)).replaceAll(" ")));
        return terms;
    }

    /** Changes fields of a job, each as {@code Name=value}. */
    public void update(String job, Collection<String> fields) throws SlurmRefusal {
        List<String> arguments = new ArrayList<>(List.of("update", "JobId=" + job));
        arguments.addAll(fields);
        control(arguments);
    }

    /**
     * Changes fields of a job as one line of a session. What scontrol says of a line is a refusal, so it is not for the nodes of
     * running jobs: of those it has remarks to make.
     */
    public void updateInSession(String job, Collection<String> fields) throws SlurmRefusal {
        List<String> words = new ArrayList<>(List.of("update", "JobId=" + job));
        words.addAll(fields);
        inSession(words);
    }

    private void inSession(List<String> words) throws SlurmRefusal {
        if (!ControlSession.canTake(words)) {
            control(words);
            return;
        }
        Optional<String> said;
        try {
            said = session.say(words);
        } catch (IOException e) {
            throw new RetriableRmException("scontrol " + String.join(" ", words) + ": " + e.getMessage(), e);
        }
        if (said.isEmpty()) {
            control(words);
        } else if (!said.get().isEmpty()) {
            throw refusal("scontrol " + String.join(" ", words), new Ending(1, "", said.get()));
        }
    }

    /** Holds jobs as their user would, running ones too: then a requeue leaves them held. */
    public void holdAsUser(Collection<String> jobs) throws SlurmRefusal {
        control(List.of("uhold", String.join(",", jobs)));
    }

    /** Lifts a hold, so that Slurm may start the job. */
    public void release(String job) throws SlurmRefusal {
        if (job.equals(releasedLast)) {
            // scontrol remembers what it saw of the job it released last.
            session.close();
        }
        releasedLast = job;
        inSession(List.of("release", job));
    }

    /** Ends a job, running or not; with a signal it is only sent that. */
    public void cancel(String job, @Nullable String signal) throws SlurmRefusal {
        List<String> command = new ArrayList<>(List.of("scancel"));
        if (signal != null) {
            command.add("--signal=" + signal);
        }
        command.add(job);
        Ending ending = run(command);
        if (ending.code() != 0) {
            throw refusal(String.join(" ", command), ending);
        }
    }

    /**
     * Ends jobs or tasks with one call.
     *
     * @return what scancel said of those that it could not end, a line for each; empty for none
     */
    public String cancel(Collection<String> jobs) {
        List<String> command = new ArrayList<>(List.of("scancel"));
        command.addAll(jobs);
        Ending ending = run(command, changeTimeout);
        return ending.code() == 0 ? "" : ending.errors();
    }

    /** Puts a running job back into the queue, held. */
    public void requeueHeld(String job) throws SlurmRefusal {
        control(List.of("requeuehold", job));
    }

    public void suspend(String job) throws SlurmRefusal {
        control(List.of("suspend", job));
    }

    public void resume(String job) throws SlurmRefusal {
        control(List.of("resume", job));
    }

    /** Changes fields of a node, each as {@code Name=value}. */
    public void updateNode(String node, Collection<String> fields) throws SlurmRefusal {
        List<String> arguments = new ArrayList<>(List.of("update", "NodeName=" + node));
        arguments.addAll(fields);
        control(arguments);
    }

    /** Runs scontrol with that verb. */
    public void change(String verb, List<String> arguments) throws SlurmRefusal {
        List<String> line = new ArrayList<>(List.of(verb));
        line.addAll(arguments);
        control(line);
    }

    /** Returns the configuration in force, a parameter on each line. */
    public String config() {
        Ending ending = run(List.of("scontrol", "show", "config"));
        if (ending.code() != 0) {
            throw new RetriableRmException("scontrol show config ended with " + ending.code() + ": " + words(ending));
        }
        return ending.output();
    }

    /** Returns what nodes keep of their memory for the system; empty when that could not be asked. */
    public Optional<SystemMemory> systemMemory() {
        Ending ending = run(List.of("scontrol", "--oneliner", "show", "node"));
        return ending.code() == 0 ? Optional.of(SystemMemory.parse(ending.output())) : Optional.empty();
    }

    /** Returns how much of each node partitions give; empty when that could not be asked. */
    public Optional<PartitionCaps> partitionCaps() {
        Ending ending = run(List.of("scontrol", "--oneliner", "--all", "show", "partition"));
        return ending.code() == 0 ? Optional.of(PartitionCaps.parse(ending.output())) : Optional.empty();
    }

    /** Returns how long jobs of a partition go on when they are preempted; empty when that could not be asked. */
    public Optional<Duration> graceOfPartition(String name) {
        Ending ending = run(List.of("scontrol", "--oneliner", "show", "partition", name));
        return ending.code() == 0 ? GraceTime.ofPartition(ending.output()) : Optional.empty();
    }

    /** Returns how long jobs of a QOS go on when they are preempted; empty when that could not be asked. */
    public Optional<Duration> graceOfQos(String name) {
        Ending ending = run(
                List.of("sacctmgr", "--noheader", "--parsable2", "show", "qos", "name=" + name, "format=GraceTime"));
        return ending.code() == 0 ? GraceTime.ofQos(ending.output()) : Optional.empty();
    }

    /**
     * Returns what accounts, QOSs and these users are allowed, as slurmctld knows it; nothing where it does without Slurm's
     * accounting.
     */
    public LimitRecords limits(Collection<String> users) {
        List<String> command =
                new ArrayList<>(List.of("scontrol", "--oneliner", "show", "assoc_mgr", "flags=assoc,qos"));
        if (users.size() <= MOST_USERS_NAMED) {
            command.add("users=" + String.join(",", users));
        }
        Ending ending = run(command);
        return ending.code() == 0 ? LimitRecords.parse(ending.output()) : LimitRecords.NONE;
    }

    /** Lists the reservations, one a line. */
    public String reservations() {
        Ending ending = run(List.of("scontrol", "--oneliner", "show", "reservations"));
        if (ending.code() != 0) {
            throw new RetriableRmException(
                    "scontrol show reservations ended with " + ending.code() + ": " + words(ending));
        }
        return ending.output();
    }

    /** Returns the ids of the jobs of that name that have not ended. */
    public List<String> jobsNamed(String name) {
        Ending ending = run(List.of("squeue", "--noheader", "--name=" + name, "--format=%A"));
        if (ending.code() != 0) {
            throw new RetriableRmException("squeue ended with " + ending.code() + ": " + words(ending));
        }
        return ending.output()
                .lines()
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .toList();
    }

    /**
     * Lets a job grow: allocates a node to a job of its own that may only be merged into {@code job}. That Slurm takes in the same
     * partition and QOS alone; the memory is what the job has of its other nodes. Returns its id.
     */
    public String allocateToExpand(SlurmJob job, String node, int procs) throws SlurmRefusal {
        String id = Long.toString(job.id());
        List<String> command = new ArrayList<>(List.of(
                "salloc",
                "--no-shell",
                "--immediate=3",
                "--uid=" + job.user(),
                "--priority=" + EXPANSION_PRIORITY,
                "--job-name=" + expansionName(id),
                "--nodes=1",
                "--ntasks=" + procs,
                "--nodelist=" + node,
                "--dependency=expand:" + id));
        Stream.of(
                        option("--partition=", job.partition()),
                        option("--account=", job.account()),
                        option("--qos=", job.qos()),
                        option("--mem-per-cpu=", memory(job.demands().amounts().memoryPerProcMb())),
                        option("--mem=", memory(job.demands().amounts().nodeMemoryMb())))
                .flatMap(Optional::stream)
                .forEach(command::add);
        Ending ending = run(command);
        Matcher granted = GRANTED.matcher(ending.errors());
        if (ending.code() == 0 && granted.find()) {
            return granted.group(1);
        }
        throw refusal("salloc for job " + id, ending);
    }

    /** Returns the switches of nodes, by what {@link #config} said; empty when scontrol does not tell now. */
    public Optional<Switches> switches(String config) {
        if (!Switches.areKnown(config)) {
            return Optional.of(Switches.NONE);
        }
        Ending ending = run(List.of("scontrol", "show", "topology"));
        return ending.code() == 0 ? Optional.of(Switches.parse(ending.output())) : Optional.empty();
    }

    private static Optional<String> option(String name, @Nullable String value) {
        return Optional.ofNullable(value).map(given -> name + given);
    }

    private static @Nullable String memory(long megabytes) {
        return megabytes == 0 ? null : megabytes + "M";
    }

    public static String expansionName(String job) {
        return "weir-expands-" + job;
    }

    private void control(List<String> arguments) throws SlurmRefusal {
        List<String> command = new ArrayList<>(List.of("scontrol"));
        command.addAll(arguments);
        Ending ending = run(command, changeTimeout);
        if (ending.code() == 0) {
            return;
        }
        throw refusal(String.join(" ", command), ending);
    }

    private static SlurmRefusal refusal(String command, Ending ending) {
        SlurmError error = new SlurmError(0, words(ending));
        if (error.isAway()) {
            throw new RetriableRmException(command + ": " + error.text());
        }
        return new SlurmRefusal(error);
    }

    private static String words(Ending ending) {
        String text = ending.errors().isBlank() ? ending.output() : ending.errors();
        return text.strip().replaceAll("\\s+", " ");
    }

    private ProcessBuilder builder(List<String> command) {
        List<String> line = new ArrayList<>(command);
        if (directory != null) {
            line.set(0, directory.resolve(command.get(0)).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().keySet().removeIf(key -> key.startsWith("SQUEUE_") || key.startsWith("SLURM_"));
        builder.environment().put("TZ", "UTC");
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("SLURM_TIME_FORMAT", "standard");
        if (slurmConf != null) {
            builder.environment().put("SLURM_CONF", slurmConf.toString());
        }
        // Whoever types lines has no terminal and no settings of its own.
        builder.environment().put("TERM", "dumb");
        builder.environment().put("INPUTRC", "/dev/null");
        return builder;
    }

    private Ending run(List<String> command) {
        return run(command, timeout);
    }

    private Ending run(List<String> command, Duration limit) {
        return run(builder(command), limit);
    }

    private Ending run(ProcessBuilder builder, Duration limit) {
        List<String> line = builder.command();
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw notRun(line.get(0), e);
        }
        haveRun.add(line.get(0));
        try {
            process.getOutputStream().close();
            Future<String> output = readers.submit(() -> read(process.getInputStream()));
            Future<String> errors = readers.submit(() -> read(process.getErrorStream()));
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RetriableRmException(
                        String.join(" ", line) + " did not end within " + limit.toMillis() + " ms");
            }
            return new Ending(
                    process.exitValue(),
                    output.get(limit.toMillis(), TimeUnit.MILLISECONDS),
                    errors.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableRmException(String.join(" ", line) + " was interrupted", e);
        } catch (ExecutionException | TimeoutException | IOException e) {
            throw new RetriableRmException(String.join(" ", line) + " could not be read: " + e, e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A program that has run before is there again in a moment: its package is being replaced. */
    private RmException notRun(String program, IOException e) {
        StartFailure failure = StartFailure.of(e);
        String message = "cannot run " + program + ": " + e.getMessage();
        if (failure.isTooLong()) {
            return new RmException(message, e);
        }
        return failure.isUnusable() && !haveRun.contains(program)
                ? new RmException(
                        message + ". Install Slurm's client commands here, set rm.slurm.commands.dir, or set"
                                + " rm.slurm.commands=false",
                        e)
                : new RetriableRmException(message, e);
    }

    private static String read(InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(LONGEST_OUTPUT);
        if (stream.read() >= 0) {
            throw new IOException("more than " + LONGEST_OUTPUT + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        session.close();
        readers.shutdownNow();
    }
}
