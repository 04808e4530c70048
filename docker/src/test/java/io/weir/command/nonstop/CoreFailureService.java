package io.weir.command.nonstop;

import io.weir.nonstop.client.ChangedAllocation;
import io.weir.nonstop.client.FailureService;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobEvent;
import io.weir.nonstop.client.JobFailures;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullUnmarked;

/** The scheduler's core as the failure service of one small cluster, with a resource manager that does as it is told. */
@NullUnmarked
final class CoreFailureService implements FailureService, Waiting {
    static final String JOB = "17";
    private static final String CLUSTER = "c";
    private static final String RM = "rm";
    private static final long EPOCH = 10;
    private static final long T0 = 1_000_000;

    static {
        AvroTrust.install();
    }

    private final ClusterScheduler core = new ClusterScheduler(CLUSTER);
    private final SortedMap<Long, Runnable> plan = new TreeMap<>();
    private final List<NodeAllocation> allocation = new ArrayList<>();
    private final List<RequestResult> answers = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private String user;
    private long walltime = 36_000;
    private boolean cancelled;
    private long clock;
    private int requests;
    private long polls;

    CoreFailureService(String user, String... settings) {
        this.user = user;
        fact(Heartbeat.newBuilder()
                .setCluster(CLUSTER)
                .setConnector(RM)
                .setKind(HeartbeatKind.HELLO)
                .setNumber(0)
                .setRmTime(now())
                .setRmType("simulated")
                .build());
        fact(new PolicyVersion(
                CLUSTER,
                "1",
                "NODEALLOCRESFAILUREPOLICY IGNORE\n"
                        + "FAILURESERVICE nonstop\n"
                        + "#line 1 \"nonstop.conf\"\n"
                        + "ControlAddr=dario\n"
                        + String.join("\n", settings) + "\n",
                null,
                null,
                now()));
        iterate();
    }

    CoreFailureService node(String name, NodeState state) {
        fact(NodeReport.newBuilder()
                .setCluster(CLUSTER)
                .setNodeId(name)
                .setProcs(16)
                .setState(state)
                .build());
        return this;
    }

    /** Job 17 of ann runs, with a processor on each node. */
    CoreFailureService runs(String... nodes) {
        for (String node : nodes) {
            allocation.add(new NodeAllocation(node, 1));
        }
        report();
        iterate();
        return this;
    }

    /** Another job runs on a node, until its time limit {@code seconds} from the beginning. */
    CoreFailureService occupied(String node, long seconds) {
        fact(running("18", "bob", seconds, List.of(new NodeAllocation(node, 1)))
                .setState(JobState.RUNNING)
                .build());
        return this;
    }

    /** Somebody else asks from now on. */
    CoreFailureService as(String other) {
        user = other;
        return this;
    }

    /** A node goes down under the job. */
    CoreFailureService fails(String node) {
        node(node, NodeState.DOWN);
        iterate();
        return this;
    }

    /** Something happens {@code seconds} from the beginning. */
    CoreFailureService at(long seconds, Runnable event) {
        plan.put(seconds, event);
        return this;
    }

    boolean isCancelled() {
        return cancelled;
    }

    long walltime() {
        return walltime;
    }

    @Override
    public long seconds() {
        return clock;
    }

    @Override
    public void sleep(long seconds) {
        clock += seconds;
        fact(Heartbeat.newBuilder()
                .setCluster(CLUSTER)
                .setConnector(RM)
                .setKind(HeartbeatKind.HEARTBEAT)
                .setNumber(++polls)
                .setRmTime(now())
                .build());
        plan.headMap(clock + 1).values().forEach(Runnable::run);
        plan.headMap(clock + 1).clear();
        iterate();
    }

    @Override
    public SortedMap<String, String> configuration() throws FailureServiceException {
        SortedMap<String, String> settings = new TreeMap<>();
        ask(RequestKind.SHOW_NONSTOP, "config")
                .getDetails()
                .forEach(detail -> settings.put(detail.getName(), detail.getValue()));
        return settings;
    }

    @Override
    public JobFailures failures(String jobId) throws FailureServiceException {
        RequestResult answer = ask(RequestKind.SHOW_JOB_FAILURES, jobId);
        List<JobFailures.LostNode> lost = new ArrayList<>();
        for (NameValue detail : answer.getDetails()) {
            if (detail.getName().equals("lost")) {
                String[] words = detail.getValue().split(" ");
                lost.add(new JobFailures.LostNode(words[0], Integer.parseInt(words[1]), words[2]));
            }
        }
        return new JobFailures(
                nodes(answer),
                detail(answer, "cpusPerNode"),
                lost,
                Long.parseLong(detail(answer, "pendingDelay")),
                detail(answer, "pendingId"),
                detail(answer, "pendingNode"),
                Integer.parseInt(detail(answer, "replacedCount")),
                Long.parseLong(detail(answer, "balance")));
    }

    @Override
    public ChangedAllocation replace(String jobId, String node) throws FailureServiceException {
        return change(ask(RequestKind.REPLACE_JOB_NODE, jobId, new NameValue("node", node)));
    }

    @Override
    public ChangedAllocation drop(String jobId, String node) throws FailureServiceException {
        return change(ask(RequestKind.DROP_JOB_NODE, jobId, new NameValue("node", node)));
    }

    @Override
    public long extend(String jobId, long minutes) throws FailureServiceException {
        return Long.parseLong(detail(
                ask(RequestKind.EXTEND_JOB, jobId, new NameValue("minutes", Long.toString(minutes))), "minutes"));
    }

    @Override
    public void drain(String nodes, String reason) throws FailureServiceException {
        ask(RequestKind.DRAIN_NODES, "nodes", new NameValue("nodes", nodes), new NameValue("reason", reason));
    }

    @Override
    public void subscribe(String jobId, String endpoint) throws FailureServiceException {
        ask(RequestKind.SUBSCRIBE_JOB, jobId, new NameValue("endpoint", endpoint));
    }

    @Override
    public void unsubscribe(String jobId, String endpoint) throws FailureServiceException {
        ask(RequestKind.UNSUBSCRIBE_JOB, jobId, new NameValue("endpoint", endpoint));
    }

    @Override
    public List<JobEvent> events(String jobId, String lastEventId) {
        return List.copyOf(events);
    }

    @Override
    public void cancel(String jobId) throws FailureServiceException {
        ask(RequestKind.CANCEL_JOB, jobId);
    }

    private static ChangedAllocation change(RequestResult answer) {
        return new ChangedAllocation(
                detail(answer, "replacement"), nodes(answer), detail(answer, "cpusPerNode"), detail(answer, "kept"));
    }

    private static List<String> nodes(RequestResult answer) {
        return List.of(detail(answer, "nodes").split(","));
    }

    private static String detail(RequestResult answer, String name) {
        return answer.getDetails().stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .findFirst()
                .orElse("");
    }

    private RequestResult ask(RequestKind kind, String object, NameValue... arguments) throws FailureServiceException {
        String id = "r" + ++requests;
        fact(new Request(CLUSTER, id, user, kind, object, null, now(), List.of(arguments), null));
        iterate();
        RequestResult answer = answers.stream()
                .filter(result -> result.getRequestId().equals(id))
                .findFirst()
                .orElseThrow();
        if (answer.getOutcome() == RequestOutcome.REFUSED) {
            throw new FailureServiceException(detail(answer, "error"), detail(answer, "value"), answer.getMessage());
        }
        return answer;
    }

    /** Runs iterations until nothing is ordered any more. */
    private void iterate() {
        List<RmCommand> commands = new ArrayList<>();
        do {
            commands.clear();
            for (Output output : core.iterate(now()).outputs()) {
                if (output.value() instanceof RequestResult answer) {
                    answers.add(answer);
                } else if (output.value() instanceof NonstopEvent event) {
                    String replacement = event.getReplacement();
                    events.add(new JobEvent(
                            event.getEventId(),
                            event.getKind().name(),
                            event.getNodeId(),
                            replacement == null ? "" : replacement));
                } else if (output.value() instanceof RmCommand command) {
                    commands.add(command);
                }
            }
            commands.forEach(this::carryOut);
        } while (!commands.isEmpty());
    }

    private void carryOut(RmCommand command) {
        if (command.getKind() == CommandKind.ADD_NODES) {
            allocation.addAll(command.getAllocation());
        } else if (command.getKind() == CommandKind.REMOVE_NODES) {
            allocation.removeAll(command.getAllocation());
        } else if (command.getKind() == CommandKind.MODIFY_JOB) {
            walltime = command.getWalltimeSeconds();
        } else if (command.getKind() == CommandKind.CANCEL_JOB) {
            cancelled = true;
        }
        fact(new CommandResult(
                CLUSTER,
                RM,
                command.getNumber(),
                command.getCommandId(),
                command.getJobId(),
                CommandOutcome.DONE,
                now(),
                null,
                false,
                false));
        report();
    }

    private void report() {
        fact(running(JOB, "ann", walltime, List.copyOf(allocation))
                .setState(cancelled ? JobState.CANCELLED : JobState.RUNNING)
                .setEndTime(cancelled ? now() : null)
                .build());
    }

    /** A job since the beginning. */
    private static JobReport.Builder running(String id, String owner, long limit, List<NodeAllocation> nodes) {
        return JobReport.newBuilder()
                .setCluster(CLUSTER)
                .setJobId(id)
                .setQueueSequence(Long.parseLong(id))
                .setUser(owner)
                .setTasks(nodes.size())
                .setProcsPerTask(1)
                .setWalltimeSeconds(limit)
                .setSubmitTime(Instant.ofEpochSecond(T0))
                .setStartTime(Instant.ofEpochSecond(T0))
                .setAllocation(nodes)
                .setAsOfCommand(Long.MAX_VALUE);
    }

    private void fact(SpecificRecord record) {
        Fact fact = new Fact(record, RM, EPOCH);
        core.check(fact).ifPresent(rejection -> {
            throw new IllegalArgumentException(rejection.toString());
        });
        core.apply(fact);
    }

    private Instant now() {
        return Instant.ofEpochSecond(T0 + clock);
    }

    /** Returns what the environment of the job's script is like. */
    static Map<String, String> environment(String directory) {
        return Map.of("SLURM_JOB_ID", JOB, "SMD_ENV_DIR", directory);
    }
}
