package io.weir.scheduler.recorded;

import io.weir.scheduler.stream.FakeConnector;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A resource manager with its connector, in a few lines: it runs what it is told to run, ends jobs when their time is over,
 * refuses what the script wants refused, and reports what changed, or everything in the first poll of an epoch.
 */
public final class ScriptedConnector {
    private final StreamHarness harness;
    private final String name;
    private final FakeConnector connector;
    private final Map<String, NodeReport> nodes = new LinkedHashMap<>();
    private final Map<String, Work> jobs = new LinkedHashMap<>();
    private final Set<String> changedNodes = new TreeSet<>();
    private final Set<String> changedJobs = new TreeSet<>();
    private Predicate<RmCommand> refusals = command -> false;
    private boolean startsItself;
    private boolean silent;
    private boolean connected;
    private boolean full;
    private int commandsSeen;
    private int refused;

    ScriptedConnector(StreamHarness harness, String name) {
        this.harness = harness;
        this.name = name;
        connector = new FakeConnector(harness, StreamHarness.CLUSTER, name);
    }

    /** A job and how long it will run, in seconds. */
    private static final class Work {
        private JobReport report;
        private final long seconds;

        private Work(JobReport report, long seconds) {
            this.report = report;
            this.seconds = seconds;
        }

        private boolean isOver(Instant now) {
            Instant start = report.getStartTime();
            return report.getState() == JobState.RUNNING
                    && start != null
                    && !start.plusSeconds(seconds).isAfter(now);
        }
    }

    /** Adds nodes {@code n01, n02 …}, numbered from {@code first} on. */
    public ScriptedConnector nodes(int first, int last, int procs, Consumer<NodeReport.Builder> more) {
        for (int number = first; number <= last; number++) {
            add("n%02d".formatted(number), procs, more);
        }
        return this;
    }

    /** Adds a node. */
    public void add(String id, int procs, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder node = NodeReport.newBuilder()
                .setCluster(StreamHarness.CLUSTER)
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(procs);
        more.accept(node);
        nodes.put(id, node.build());
        changedNodes.add(id);
    }

    /** Changes what is reported of a node. */
    public void node(String id, Consumer<NodeReport.Builder> change) {
        NodeReport.Builder node = NodeReport.newBuilder(nodes.get(id));
        change.accept(node);
        nodes.put(id, node.build());
        changedNodes.add(id);
    }

    /** Takes a node down; what runs there fails. */
    public void fail(String id, Instant now) {
        node(id, node -> node.setState(NodeState.DOWN).setReason("no answer"));
        jobs.values().stream()
                .filter(job -> job.report.getState() == JobState.RUNNING)
                .filter(job -> job.report.getAllocation().stream()
                        .anyMatch(part -> part.getNodeId().equals(id)))
                .forEach(job -> change(
                        job,
                        it -> it.setState(JobState.FAILED)
                                .setEndTime(now)
                                .setExitCode(1)
                                .setReason("node " + id + " failed")));
    }

    /** Brings a node back. */
    public void repair(String id) {
        node(id, node -> node.setState(NodeState.IDLE).setReason(null));
    }

    /** Puts a job into the queue. */
    public void submit(JobReport job, long seconds) {
        jobs.put(job.getJobId(), new Work(job, seconds));
        changedJobs.add(job.getJobId());
    }

    /** Changes what is reported of a job. */
    public void job(String id, Consumer<JobReport.Builder> change) {
        change(jobs.get(id), change);
    }

    private void change(Work job, Consumer<JobReport.Builder> change) {
        JobReport.Builder report = JobReport.newBuilder(job.report);
        change.accept(report);
        job.report = report.build();
        changedJobs.add(report.getJobId());
    }

    /** Refuses the commands that {@code which} names; it is asked once for each. */
    public ScriptedConnector refusing(Predicate<RmCommand> which) {
        refusals = which;
        return this;
    }

    /** Starts jobs by itself or not: first come, first served, one node's processors after the other. */
    public ScriptedConnector startingItself(boolean itself) {
        startsItself = itself;
        return this;
    }

    /** Neither reports nor carries anything out while silent. */
    public void silent(boolean now) {
        silent = now;
    }

    /** Has the connector begin anew: another epoch, whose first poll lists everything. */
    public void restart() {
        connected = false;
    }

    /** Knows a job no longer, nor says so: the next full poll does not list it. */
    public void forget(String job) {
        jobs.remove(job);
        changedJobs.remove(job);
    }

    /** The same for a node. */
    public void forgetNode(String node) {
        nodes.remove(node);
        changedNodes.remove(node);
    }

    /** Returns how many commands were refused. */
    public int refused() {
        return refused;
    }

    /** Returns the ids of the jobs in a state, in the order in which they came. */
    public List<String> jobs(JobState state) {
        return jobs.values().stream()
                .filter(job -> job.report.getState() == state)
                .map(job -> job.report.getJobId())
                .toList();
    }

    /** Reports what changed, and that the poll is complete. */
    void poll(Instant now) {
        if (silent) {
            return;
        }
        connector.at(now);
        if (!connected) {
            connected = true;
            full = true;
            harness.deliver(connector.hello());
        }
        if (startsItself) {
            startJobs(now);
        }
        jobs.values().stream()
                .filter(job -> job.isOver(now))
                .forEach(job -> change(
                        job,
                        it -> it.setState(JobState.COMPLETED)
                                .setEndTime(it.getStartTime().plusSeconds(job.seconds))
                                .setExitCode(0)));
        report();
        harness.deliver(connector.heartbeat(full));
        full = false;
    }

    private void report() {
        if (full) {
            changedNodes.addAll(nodes.keySet());
            changedJobs.addAll(jobs.keySet());
        }
        for (String id : nodes.keySet()) {
            if (changedNodes.contains(id)) {
                NodeReport node = nodes.get(id);
                harness.deliver(connector.fact(
                        Topics.RM_NODES,
                        id,
                        NodeReport.newBuilder(node)
                                .setAsOfCommand(connector.lastCommand())
                                .build()));
            }
        }
        List<String> ended = new ArrayList<>();
        for (Map.Entry<String, Work> job : jobs.entrySet()) {
            if (changedJobs.contains(job.getKey())) {
                JobReport report = job.getValue().report;
                harness.deliver(connector.fact(
                        Topics.RM_JOBS,
                        job.getKey(),
                        JobReport.newBuilder(report)
                                .setAsOfCommand(connector.lastCommand())
                                .build()));
                if (report.getEndTime() != null) {
                    ended.add(job.getKey());
                }
            }
        }
        ended.forEach(jobs::remove);
        changedNodes.clear();
        changedJobs.clear();
    }

    /** Carries out the commands it has not seen yet; says whether there were any. */
    boolean carryOut(Instant now) {
        if (silent) {
            return false;
        }
        List<ConsumerRecord<byte[], byte[]>> commands = harness.log.records(StreamHarness.NAMES.full(Topics.COMMANDS));
        boolean any = false;
        for (; commandsSeen < commands.size(); commandsSeen++) {
            RmCommand command = harness.codec.decode(
                    Topics.COMMANDS, commands.get(commandsSeen).value());
            if (command.getConnector().equals(name)) {
                any = true;
                carryOut(command, now);
            }
        }
        return any;
    }

    private void carryOut(RmCommand command, Instant now) {
        String jobId = command.getJobId();
        Work job = jobId == null ? null : jobs.get(jobId);
        String refusal = refusal(command, job);
        if (refusal == null) {
            carryOut(command, job, now);
        } else {
            refused++;
        }
        connector.finished(command.getNumber());
        harness.deliver(connector.fact(
                Topics.RESULTS,
                jobId == null ? name : jobId,
                CommandResult.newBuilder()
                        .setCluster(StreamHarness.CLUSTER)
                        .setConnector(name)
                        .setNumber(command.getNumber())
                        .setCommandId(command.getCommandId())
                        .setJobId(jobId)
                        .setOutcome(refusal == null ? CommandOutcome.DONE : CommandOutcome.REFUSED)
                        .setEffectTime(refusal == null ? now : null)
                        .setMessage(refusal)
                        .build()));
    }

    private @Nullable String refusal(RmCommand command, @Nullable Work job) {
        if (refusals.test(command)) {
            return "refused by the script";
        }
        return command.getJobId() != null && job == null ? "no such job" : null;
    }

    private void carryOut(RmCommand command, @Nullable Work job, Instant now) {
        switch (command.getKind()) {
            case FULL_POLL -> full = true;
            case UNKNOWN -> throw new IllegalArgumentException("unknown command " + command);
            case START_JOB,
                    CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    MODIFY_JOB,
                    ADD_NODES,
                    REMOVE_NODES,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION,
                    SIGNAL_JOB -> {
                if (job != null) {
                    change(job, it -> carryOut(command, it, now));
                }
            }
        }
    }

    private static void carryOut(RmCommand command, JobReport.Builder job, Instant now) {
        switch (command.getKind()) {
            case START_JOB -> job.setState(JobState.RUNNING).setStartTime(now).setAllocation(command.getAllocation());
            case CANCEL_JOB -> job.setState(JobState.CANCELLED).setEndTime(now).setReason(command.getReason());
            case REQUEUE_JOB -> job.setState(JobState.IDLE).setStartTime(null).setAllocation(List.of());
            case HOLD_JOB -> job.setState(JobState.HOLD);
            case RELEASE_JOB -> job.setState(JobState.IDLE);
            case SUSPEND_JOB -> job.setState(JobState.SUSPENDED);
            case RESUME_JOB -> job.setState(JobState.RUNNING);
            case ADD_NODES ->
                job.setAllocation(Stream.concat(job.getAllocation().stream(), command.getAllocation().stream())
                        .toList());
            case REMOVE_NODES ->
                job.setAllocation(job.getAllocation().stream()
                        .filter(own -> command.getAllocation().stream()
                                .noneMatch(part -> part.getNodeId().equals(own.getNodeId())))
                        .toList());
            case UNKNOWN,
                    FULL_POLL,
                    MODIFY_JOB,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION,
                    SIGNAL_JOB -> {
                // Changes nothing that is reported.
            }
        }
    }

    private void startJobs(Instant now) {
        for (Work job : jobs.values()) {
            if (job.report.getState() == JobState.IDLE) {
                List<NodeAllocation> allocation = room(job.report.getTasks() * job.report.getProcsPerTask());
                if (allocation.isEmpty()) {
                    return;
                }
                change(
                        job,
                        it -> it.setState(JobState.RUNNING).setStartTime(now).setAllocation(allocation));
            }
        }
    }

    private List<NodeAllocation> room(int procs) {
        List<NodeAllocation> allocation = new ArrayList<>();
        int missing = procs;
        for (NodeReport node : nodes.values()) {
            int used = jobs.values().stream()
                    .filter(job -> job.report.getState() == JobState.RUNNING)
                    .flatMap(job -> job.report.getAllocation().stream())
                    .filter(part -> part.getNodeId().equals(node.getNodeId()))
                    .mapToInt(NodeAllocation::getProcs)
                    .sum();
            int taken = node.getState() == NodeState.IDLE ? Math.min(missing, node.getProcs() - used) : 0;
            if (taken > 0) {
                allocation.add(new NodeAllocation(node.getNodeId(), taken));
                missing -= taken;
            }
        }
        return missing == 0 ? allocation : List.of();
    }
}
