package io.weir.scheduler.bench;

import com.sun.management.ThreadMXBean;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.job.JobBudget;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.avro.specific.SpecificRecord;

/**
 * Times whole iterations of the core on a full mixed cluster with a long queue: one on a scheduler just rebuilt, then many
 * between which some jobs end and as many arrive. Publication and commit are not part of it. Single-threaded.
 */
public final class IterationBench {
    private static final String CLUSTER = "bench";
    private static final String CONNECTOR = "bench";
    private static final long START = 1_000_000;
    private static final long STEP_SECONDS = 30;
    private static final int DUE_DAYS = 60;

    /** Reservations that are made in a second, by so many operators: on 10,000 nodes no more are let through. */
    private static final int RESERVED_AT_ONCE = 5;

    private static final int OPERATORS = 10;

    /** How far ahead reservations begin, seconds. */
    private static final long RESERVED_AHEAD = 30 * 86_400;

    /** A job that runs, and when it ends. */
    private record Running(JobReport job, long start, long end) {}

    private final MixedCluster cluster;
    private final int queued;
    private final MixedWorkload workload;
    private final Map<String, JobReport> waiting = new LinkedHashMap<>();
    private final PriorityQueue<Running> running = new PriorityQueue<>(
            Comparator.comparingLong(Running::end).thenComparing(r -> r.job().getJobId()));
    private int questions;
    private long asked;
    private List<JobReport> demanding = List.of();
    private int drained;
    private int percentDue;
    private int reservations;
    private int reserved;
    private long submitted;

    /** The last job that was started, and the first of its nodes; empty before. */
    private List<String> lastStart = List.of();

    private ClusterScheduler scheduler = new ClusterScheduler(CLUSTER);
    private long now = START;

    /**
     * Prepares a run.
     *
     * @param queued jobs that wait once the cluster is full
     * @param policy configuration text
     */
    public IterationBench(MixedCluster cluster, int queued, String policy, long seed) {
        AvroTrust.install();
        this.cluster = cluster;
        this.queued = queued;
        workload = new MixedWorkload(CLUSTER, seed);
        apply(new Heartbeat(
                CLUSTER,
                CONNECTOR,
                HeartbeatKind.HELLO,
                0L,
                false,
                at(now),
                0L,
                List.of(),
                "bench",
                null,
                null,
                null,
                null));
        apply(new PolicyVersion(CLUSTER, "bench", policy, null, null, Instant.EPOCH));
        cluster.reports(CLUSTER).forEach(this::apply);
    }

    /** Has one principal ask, before each measured iteration, when {@code count} jobs at the end of the queue could start. */
    public IterationBench asking(int count) {
        questions = count;
        return this;
    }

    /** Has one user submit, once the queue is full, as many jobs of {@code requirements} requirements as are taken in. */
    public IterationBench demanding(int requirements, DemandingWorkload kind) {
        return demanding(JobBudget.STANDARD.further() / (requirements - 1), requirements, kind);
    }

    /** Has one user submit, once the queue is full, {@code jobs} jobs of {@code requirements} requirements each. */
    public IterationBench demanding(int jobs, int requirements, DemandingWorkload kind) {
        demanding = kind.jobs(CLUSTER, cluster, jobs, requirements);
        return this;
    }

    /** Has {@code count} nodes drained from the start. */
    public IterationBench drained(int count) {
        drained = count;
        return this;
    }

    /** Has {@code percent} of the jobs state a deadline, {@value #DUE_DAYS} days after their submission. */
    public IterationBench due(int percent) {
        percentDue = percent;
        return this;
    }

    /** Says whether all jobs take as few nodes as will do. */
    public IterationBench onFewestNodes(boolean fewest) {
        workload.onFewestNodes(fewest);
        return this;
    }

    /**
     * Has operators make {@code count} reservations once the queue is full, of a few nodes and for a few users each, and one
     * more before each measured iteration.
     */
    public IterationBench reserving(int count) {
        reservations = count;
        return this;
    }

    /** Fills the cluster and the queue: jobs are submitted until no more start, then until enough wait. */
    public void fill() {
        int batch = Math.max(100, cluster.nodes() / 2);
        report(cluster.nodes() - drained, cluster.nodes(), NodeState.DRAINED);
        do {
            submit(batch);
            now += 1;
            carryOut(iterate());
        } while (waiting.size() < batch);
        submit(Math.max(0, queued - waiting.size()));
        for (JobReport job : demanding) {
            JobReport dated = JobReport.newBuilder(job).setSubmitTime(at(now)).build();
            waiting.put(dated.getJobId(), dated);
            apply(dated);
        }
        reserveAll();
    }

    private void reserveAll() {
        while (reserved < reservations) {
            second();
            for (int i = 0; i < RESERVED_AT_ONCE && reserved < reservations; i++) {
                reserve();
            }
            carryOut(iterate());
        }
    }

    private void reserve() {
        int number = reserved++;
        int first = (int) (number * 7_919L % cluster.nodes());
        List<String> hosts = names(first, Math.min(cluster.nodes(), first + 1 + number % 8));
        List<String> users = new ArrayList<>();
        for (int i = 0; i <= number % 11; i++) {
            users.add("USER==u" + (number * 31 + i * 17) % MixedWorkload.USERS);
        }
        ask(
                "operator" + number % OPERATORS,
                RequestKind.CREATE_RESERVATION,
                "-",
                List.of(
                        new NameValue("hostexp", String.join(",", hosts)),
                        new NameValue("acl", String.join(",", users)),
                        new NameValue("starttime", Long.toString(now + 3_600 + number * 104_729L % RESERVED_AHEAD)),
                        new NameValue("duration", "2:00:00")));
    }

    /** Rebuilds the scheduler from its own snapshot, so that nothing derived is left. */
    public void rebuild() {
        ClusterScheduler anew = new ClusterScheduler(CLUSTER);
        for (Change change : scheduler.snapshot()) {
            anew.replay(change);
        }
        scheduler = anew;
    }

    /** Goes on in time: what is due ends, as many arrive, so that the queue keeps its length. */
    public void step() {
        now += STEP_SECONDS;
        while (!running.isEmpty() && running.peek().end() <= now) {
            Running ended = running.remove();
            apply(JobReport.newBuilder(ended.job())
                    .setState(JobState.COMPLETED)
                    .setStartTime(at(ended.start()))
                    .setEndTime(at(ended.end()))
                    .setExitCode(0)
                    .build());
        }
        submit(Math.max(0, queued + demanding.size() - waiting.size()));
    }

    /** Runs one iteration. */
    public IterationResult iterate() {
        return scheduler.iterate(at(now), IterationTrigger.HEARTBEAT, null);
    }

    /** Lets the starts and requeues of an iteration take effect and returns how many starts there were. */
    public int carryOut(IterationResult result) {
        int starts = 0;
        for (RmCommand command : commands(result, CommandKind.REQUEUE_JOB)) {
            Running stopped = running.stream()
                    .filter(run -> run.job().getJobId().equals(command.getJobId()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "the core requeues " + command.getJobId() + ", which does not run"));
            running.remove(stopped);
            waiting.put(stopped.job().getJobId(), stopped.job());
            done(command);
        }
        for (RmCommand command : commands(result, CommandKind.START_JOB)) {
            JobReport job = waiting.remove(command.getJobId());
            if (job == null) {
                throw new IllegalStateException("the core starts " + command.getJobId() + ", which does not wait");
            }
            running.add(new Running(job, now, now + workload.runSeconds(job.getWalltimeSeconds())));
            starts++;
            lastStart =
                    List.of(command.getJobId(), command.getAllocation().get(0).getNodeId());
            done(command);
        }
        return starts;
    }

    /** Returns the commands of one kind that an iteration gave, in order. */
    static List<RmCommand> commands(IterationResult result, CommandKind kind) {
        List<RmCommand> commands = new ArrayList<>();
        for (Output output : result.outputs()) {
            if (output.kind() == OutputKind.COMMAND
                    && output.value() instanceof RmCommand command
                    && command.getKind() == kind) {
                commands.add(command);
            }
        }
        return commands;
    }

    private void done(RmCommand command) {
        apply(new CommandResult(
                CLUSTER,
                CONNECTOR,
                command.getNumber(),
                command.getCommandId(),
                command.getJobId(),
                CommandOutcome.DONE,
                at(now),
                null,
                false,
                false));
    }

    /** Has the resource manager report the nodes from position {@code first} to before {@code end} in another state. */
    void report(int first, int end, NodeState state) {
        for (NodeReport node : cluster.reports(CLUSTER).subList(first, end)) {
            apply(NodeReport.newBuilder(node)
                    .setState(state)
                    .setReason(state == NodeState.DOWN ? "NODE_FAIL" : null)
                    .build());
        }
    }

    /** Measures a cold iteration and {@code iterations} steady ones, after {@code warmUp} of each kind. */
    public IterationReport run(int warmUp, int iterations) {
        fill();
        for (int i = 0; i < Math.min(3, warmUp); i++) {
            rebuild();
            step();
            carryOut(iterate());
        }
        rebuild();
        step();
        System.gc(); // the scheduler before it is the measurement's litter, not the iteration's
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long cold = System.nanoTime();
        long coldCpu = threads.getCurrentThreadCpuTime();
        IterationResult first = iterate();
        coldCpu = threads.getCurrentThreadCpuTime() - coldCpu;
        cold = System.nanoTime() - cold;
        carryOut(first);
        for (int i = 0; i < warmUp; i++) {
            step();
            carryOut(iterate());
        }
        long thread = Thread.currentThread().getId();
        resetPeaks();
        List<Long> times = new ArrayList<>();
        List<Long> cpuTimes = new ArrayList<>();
        long allocated = 0;
        long starts = 0;
        for (int i = 0; i < iterations; i++) {
            step();
            ask();
            if (reservations > 0) {
                reserve();
            }
            long before = threads.getThreadAllocatedBytes(thread);
            long begin = System.nanoTime();
            long cpu = threads.getCurrentThreadCpuTime();
            IterationResult result = iterate();
            cpuTimes.add(threads.getCurrentThreadCpuTime() - cpu);
            times.add(System.nanoTime() - begin);
            allocated += threads.getThreadAllocatedBytes(thread) - before;
            starts += carryOut(result);
        }
        long peak = peak();
        return new IterationReport(
                cluster.nodes(),
                queued,
                running.size(),
                (double) busyProcs() / cluster.processors(),
                cold / 1e6,
                coldCpu / 1e6,
                times.size(),
                IterationReport.percentile(times, 0.50),
                IterationReport.percentile(times, 0.99),
                IterationReport.percentile(times, 1.0),
                IterationReport.percentile(cpuTimes, 0.50),
                (double) starts / Math.max(1, times.size()),
                allocated / Math.max(1, times.size()),
                peak);
    }

    /** Returns the names of the nodes from position {@code first} to before {@code end}. */
    List<String> names(int first, int end) {
        return cluster.reports(CLUSTER).subList(first, end).stream()
                .map(NodeReport::getNodeId)
                .toList();
    }

    /** Lets a second pass in which nothing happens. */
    void second() {
        now += 1;
    }

    /** Returns the ids of the jobs that wait, in the order submitted. */
    List<String> waitingIds() {
        return List.copyOf(waiting.keySet());
    }

    /** Returns the processors of the cluster. */
    long processors() {
        return cluster.processors();
    }

    /** Has the next iteration carry out a request of an administrator. */
    void ask(String principal, RequestKind kind, String objectId, List<NameValue> arguments) {
        apply(Request.newBuilder()
                .setCluster(CLUSTER)
                .setRequestId("q" + asked++)
                .setPrincipal(principal)
                .setLevel(1)
                .setKind(kind)
                .setObjectId(objectId)
                .setTime(at(now))
                .setArguments(arguments)
                .build());
    }

    /** Brings down the first node of the job that was started last, and returns the ids of both. */
    List<String> fail() {
        String node = lastStart.get(1);
        for (NodeReport report : cluster.reports(CLUSTER)) {
            if (report.getNodeId().equals(node)) {
                apply(NodeReport.newBuilder(report).setState(NodeState.DOWN).build());
            }
        }
        return lastStart;
    }

    /** Has an event happen on a node. */
    void event(String name, String node) {
        apply(new GenericEvent(CLUSTER, name, "node", node, null, at(now), null, true, null));
    }

    private long busyProcs() {
        return running.stream()
                .mapToLong(r -> (long) r.job().getTasks() * r.job().getProcsPerTask())
                .sum();
    }

    private void ask() {
        if (questions == 0) {
            return;
        }
        List<String> ids = List.copyOf(waiting.keySet());
        for (int i = 0; i < questions; i++) {
            apply(Request.newBuilder()
                    .setCluster(CLUSTER)
                    .setRequestId("q" + asked++)
                    .setPrincipal("curious")
                    .setLevel(4)
                    .setKind(RequestKind.SHOW_START)
                    .setObjectId(ids.get(ids.size() - 1 - i))
                    .setTime(at(now))
                    .setArguments(List.of(new NameValue("method", "all")))
                    .build());
        }
    }

    private void submit(int count) {
        for (int i = 0; i < count; i++) {
            JobReport job = workload.next(at(now));
            if (submitted++ % 100 < percentDue) {
                job = JobReport.newBuilder(job)
                        .setExtension("deadline=+" + DUE_DAYS * 86_400)
                        .build();
            }
            waiting.put(job.getJobId(), job);
            apply(job);
        }
    }

    private void apply(SpecificRecord record) {
        scheduler.apply(new Fact(record, CONNECTOR, 0));
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static void resetPeaks() {
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    private static long peak() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
    }
}
