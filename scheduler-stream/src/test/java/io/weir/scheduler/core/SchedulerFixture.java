package io.weir.scheduler.core;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.job.JobBudget;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.plugin.PluginPrograms;
import io.weir.scheduler.plugin.Plugins;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.PolicyStatus;
import io.weir.schemas.Charge;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Decision;
import io.weir.schemas.Explanation;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.Notification;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroTrust;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Says what happens on a small cluster and collects what the scheduler puts out. Times are seconds after T0. */
public final class SchedulerFixture {
    /** Level that the API asserts of an administrator. */
    public static final int ADMINISTRATOR = 1;

    public static final String CLUSTER = "c";
    public static final String CONNECTOR = "rm";
    public static final long T0 = 1_000_000;
    public static final long EPOCH = 10;

    /** The first full hour of the clock. */
    public static final long HOUR_ALIGNED = 3600 - T0 % 3600;

    static {
        AvroTrust.install();
    }

    private final JobBudget budget;
    private ClusterScheduler scheduler;

    /** What a store would hold: the latest change of every entity. */
    private final Map<String, Change> store = new TreeMap<>();

    public final Map<String, JobStatus> publishedJobs = new TreeMap<>();
    public final Map<String, ReservationStatus> publishedReservations = new TreeMap<>();
    public final Map<String, Explanation> publishedExplanations = new TreeMap<>();
    public final List<Output> outputs = new ArrayList<>();
    private final Map<String, RmCommand> commands = new LinkedHashMap<>();
    private List<Output> last = List.of();
    private Plugins plugins = new Plugins(PluginPrograms.NONE, Map.of());
    private long sequence;
    private long policies;
    private boolean rebuildAlways;
    private boolean forgetPlanAlways;
    private long mostStarts = Long.MAX_VALUE;
    private int mostUndivided;
    private int mostMakingRoom;

    public SchedulerFixture() {
        this(JobBudget.STANDARD);
    }

    /** A cluster that holds as many jobs as {@code budget} allows. */
    public SchedulerFixture(JobBudget budget) {
        this.budget = budget;
        scheduler = new ClusterScheduler(CLUSTER, budget);
        hello(EPOCH);
    }

    /** Lets plug-ins be programs that lie in {@code directory}. */
    public SchedulerFixture programsOf(Path directory) {
        plugins = new Plugins(PluginPrograms.of(List.of(directory.toString())), Map.of("PATH", System.getenv("PATH")));
        return this;
    }

    public SchedulerFixture hello(long epoch) {
        apply(new Fact(
                new Heartbeat(
                        CLUSTER,
                        CONNECTOR,
                        HeartbeatKind.HELLO,
                        0L,
                        false,
                        at(0),
                        0L,
                        List.of(),
                        "simulated",
                        null,
                        null,
                        null,
                        null),
                CONNECTOR,
                epoch));
        return this;
    }

    /** Throws the scheduler away and rebuilds it from the store before every input. */
    public SchedulerFixture rebuildingAlways() {
        rebuildAlways = true;
        return this;
    }

    /** Makes every planning pass a complete one. */
    public SchedulerFixture forgettingThePlanAlways() {
        forgetPlanAlways = true;
        return this;
    }

    /** Lets the starts of an iteration look at no more than {@code most} nodes. */
    public SchedulerFixture limitingStarts(long most) {
        mostStarts = most;
        scheduler.limitStarts(most);
        return this;
    }

    /** Has a pass that cannot be divided make few reservations, above 0, and fewer while others may be preempted. */
    public SchedulerFixture limitingReservations(int undivided, int makingRoom) {
        mostUndivided = undivided;
        mostMakingRoom = makingRoom;
        scheduler.limitReservations(undivided, makingRoom);
        return this;
    }

    /** Follows nodes one by one where the scheduler would count processors. */
    public SchedulerFixture followingNodes() {
        scheduler.followNodes();
        return this;
    }

    public SchedulerFixture nodes(int count, int procs) {
        for (int i = 1; i <= count; i++) {
            node("n" + i, procs, NodeState.IDLE);
        }
        return this;
    }

    public SchedulerFixture node(String id, int procs, NodeState state) {
        return node(id, procs, state, report -> {});
    }

    /** A node whose report {@code more} completes. */
    public SchedulerFixture node(String id, int procs, NodeState state, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder report = NodeReport.newBuilder()
                .setCluster(CLUSTER)
                .setNodeId(id)
                .setState(state)
                .setProcs(procs);
        more.accept(report);
        fact(report.build());
        return this;
    }

    public SchedulerFixture policy(String text) {
        fact(new PolicyVersion(CLUSTER, "v" + ++policies, text, null, null, at(0)));
        return this;
    }

    public SchedulerFixture submit(String id, int tasks, long walltime) {
        return submit(id, tasks, 1, walltime, 0);
    }

    public SchedulerFixture submit(String id, int tasks, int procsPerTask, long walltime, long submit) {
        fact(job(id, JobState.IDLE, tasks, procsPerTask, walltime, submit, null, null, List.of(), Long.MAX_VALUE));
        return this;
    }

    /** A report about a known job in the words of the resource manager. */
    public SchedulerFixture report(String id, JobState state, long asOfCommand) {
        JobStatus known = job(id);
        boolean active = state == JobState.RUNNING || state == JobState.SUSPENDED;
        boolean over = !active && state != JobState.IDLE && state != JobState.HOLD;
        fact(reportOf(known)
                .setState(state)
                .setStartTime(known.getStartTime())
                .setEndTime(over ? known.getStartTime() : null)
                .setAllocation(active ? known.getAllocation() : List.of())
                .setAsOfCommand(asOfCommand)
                .build());
        return this;
    }

    /** A report that a job waits which was put back into the queue at {@code time}: that is its submission time from then on. */
    public SchedulerFixture reportRequeued(String id, long time, long asOfCommand) {
        fact(reportOf(job(id))
                .setState(JobState.IDLE)
                .setSubmitTime(at(time))
                .setOriginalSubmitTime(false)
                .setAsOfCommand(asOfCommand)
                .build());
        return this;
    }

    /** Begins a report that asks for the same as the job does. */
    private static JobReport.Builder reportOf(JobStatus known) {
        return JobReport.newBuilder()
                .setCluster(CLUSTER)
                .setJobId(known.getJobId())
                .setQueueSequence(known.getQueueSequence())
                .setName(known.getName())
                .setUser(known.getUser())
                .setGroup(known.getGroup())
                .setAccount(known.getAccount())
                .setJobClass(known.getJobClass())
                .setQos(known.getQos())
                .setTasks(known.getTasks())
                .setProcsPerTask(known.getProcsPerTask())
                .setWalltimeSeconds(known.getWalltimeSeconds())
                .setSubmitTime(known.getSubmitTime())
                .setRequirements(known.getRequirements())
                .setPartitions(known.getPartitions())
                .setHosts(known.getHosts())
                .setExcludedHosts(known.getExcludedHosts())
                .setOtherClasses(known.getOtherClasses())
                .setNodeAccess(known.getNodeAccess())
                .setApplication(known.getApplication())
                .setExtension(known.getExtension())
                .setPreference(known.getPreference())
                .setReservation(known.getReservation())
                .setFlags(known.getFlags())
                .setStartAfter(known.getStartAfter())
                .setCpuLimitSeconds(known.getCpuLimitSeconds())
                .setState(JobState.IDLE);
    }

    /** The resource manager reports where a running job runs. */
    public SchedulerFixture runsOn(String id, long asOfCommand, NodeAllocation... nodes) {
        return runs(id, report -> report.setAllocation(List.of(nodes)).setAsOfCommand(asOfCommand));
    }

    /** A report that a known job runs where it was started. */
    public SchedulerFixture runs(String id, Consumer<JobReport.Builder> more) {
        JobStatus known = job(id);
        JobReport.Builder report = reportOf(known)
                .setState(JobState.RUNNING)
                .setStartTime(known.getStartTime())
                .setAllocation(known.getAllocation())
                .setAsOfCommand(Long.MAX_VALUE);
        more.accept(report);
        fact(report.build());
        return this;
    }

    /** Answers a command about no job. */
    public SchedulerFixture answer(RmCommand command, CommandOutcome outcome, long time) {
        fact(new CommandResult(
                CLUSTER,
                CONNECTOR,
                command.getNumber(),
                command.getCommandId(),
                command.getJobId(),
                outcome,
                at(time),
                "says the rm",
                false,
                false));
        return this;
    }

    /** The resource manager reports another wallclock limit of a running job. */
    public SchedulerFixture limit(String id, long walltime) {
        JobStatus known = job(id);
        fact(reportOf(known)
                .setState(JobState.RUNNING)
                .setStartTime(known.getStartTime())
                .setAllocation(known.getAllocation())
                .setWalltimeSeconds(walltime)
                .setAsOfCommand(Long.MAX_VALUE)
                .build());
        return this;
    }

    public SchedulerFixture end(String id, long time) {
        JobStatus known = job(id);
        fact(reportOf(known)
                .setState(JobState.COMPLETED)
                .setStartTime(known.getStartTime())
                .setEndTime(at(time))
                .setExitCode(0)
                .setAsOfCommand(Long.MAX_VALUE)
                .build());
        return this;
    }

    /** A waiting job of user ann whose report {@code more} completes. */
    public SchedulerFixture submit(String id, int tasks, long walltime, Consumer<JobReport.Builder> more) {
        JobReport.Builder report = JobReport.newBuilder(
                job(id, JobState.IDLE, tasks, 1, walltime, 0, null, null, List.of(), Long.MAX_VALUE));
        more.accept(report);
        fact(report.build());
        return this;
    }

    public SchedulerFixture adopt(String id, int procs, long walltime, long start, String node) {
        fact(job(
                id,
                JobState.RUNNING,
                procs,
                1,
                walltime,
                start,
                at(start),
                null,
                List.of(new NodeAllocation(node, procs)),
                0));
        return this;
    }

    public SchedulerFixture request(String id, RequestKind kind, String jobId) {
        return request(id, kind, jobId, List.of());
    }

    /** A request of ann, whom the API calls an administrator. */
    public SchedulerFixture request(String id, RequestKind kind, String objectId, List<NameValue> arguments) {
        return request(id, "ann", ADMINISTRATOR, kind, objectId, arguments);
    }

    /** A request of {@code principal}, about whose level the API says nothing. */
    public SchedulerFixture requestBy(
            String principal, String id, RequestKind kind, String objectId, NameValue... arguments) {
        return request(id, principal, null, kind, objectId, List.of(arguments));
    }

    public SchedulerFixture request(
            String id,
            String principal,
            @Nullable Integer level,
            RequestKind kind,
            String objectId,
            List<NameValue> arguments) {
        fact(new Request(CLUSTER, id, principal, kind, objectId, null, at(0), arguments, level));
        return this;
    }

    public SchedulerFixture heartbeat(long number, boolean full, long epoch, long time) {
        return heartbeat(number, full, epoch, time, 0);
    }

    /** A poll that began when {@code lastCommand} and all before it were finished. */
    public SchedulerFixture heartbeat(long number, boolean full, long epoch, long time, long lastCommand) {
        apply(new Fact(
                new Heartbeat(
                        CLUSTER,
                        CONNECTOR,
                        HeartbeatKind.HEARTBEAT,
                        number,
                        full,
                        at(time),
                        lastCommand,
                        List.of(),
                        null,
                        null,
                        null,
                        null,
                        null),
                CONNECTOR,
                epoch));
        return this;
    }

    /** Answers the last command about a job. */
    public SchedulerFixture answer(String jobId, CommandOutcome outcome, long time) {
        return answer(jobId, outcome, time, "says the rm");
    }

    /** Answers the last command about a job. */
    public SchedulerFixture answer(String jobId, CommandOutcome outcome, long time, String message) {
        RmCommand command = commands.get(jobId);
        if (command == null) {
            throw new IllegalStateException("no command about job " + jobId);
        }
        fact(new CommandResult(
                CLUSTER,
                CONNECTOR,
                command.getNumber(),
                command.getCommandId(),
                jobId,
                outcome,
                at(time),
                message,
                false,
                false));
        return this;
    }

    /** Runs an iteration; starts are answered DONE at once, and so are plug-ins asked, which takes another iteration. */
    public SchedulerFixture iterate(long time) {
        iterateSilently(time);
        List<Output> all = new ArrayList<>(last);
        while (!lastQuestions().isEmpty()) {
            answerQuestions(time);
            iterateSilently(time);
            all.addAll(last);
        }
        last = all;
        for (RmCommand command : lastCommands()) {
            String jobId = command.getJobId();
            if (command.getKind() == CommandKind.START_JOB && jobId != null) {
                answer(jobId, CommandOutcome.DONE, time);
            }
        }
        return this;
    }

    /** Has the plug-ins answer what the last iteration asked them. */
    public SchedulerFixture answerQuestions(long time) {
        for (PluginQuestion question : lastQuestions()) {
            try {
                fact(plugins.ask(question, at(time)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return this;
    }

    /** Runs an iteration; nobody answers its commands. */
    public SchedulerFixture iterateSilently(long time) {
        prepare();
        IterationResult result = scheduler.iterate(at(time), IterationTrigger.HEARTBEAT, null);
        keep(result.changes());
        last = result.outputs();
        outputs.addAll(last);
        for (Output output : last) {
            SpecificRecord value = output.value();
            String id = output.key().substring(CLUSTER.length() + 1);
            switch (output.kind()) {
                case COMMAND -> commands.put(id, (RmCommand) java.util.Objects.requireNonNull(value));
                case JOB -> track(publishedJobs, id, (JobStatus) value);
                case RESERVATION -> track(publishedReservations, id, (ReservationStatus) value);
                case EXPLANATION -> track(publishedExplanations, id, (Explanation) value);
                case DECISION,
                        NODE,
                        REQUEST_RESULT,
                        NOTIFICATION,
                        PLUGIN_QUESTION,
                        NONSTOP_EVENT,
                        NODE_CATEGORY,
                        TRIGGER_FIRING,
                        CHARGE -> {
                    // Read from the outputs where a test wants them.
                }
            }
        }
        lastResult = result;
        return this;
    }

    @Nullable
    public IterationResult lastResult;

    public JobStatus job(String id) {
        Change change = store.get(EntityKind.JOB + "/" + id);
        if (change == null || !(change.value() instanceof JobStatus status)) {
            throw new IllegalStateException("no job " + id);
        }
        return status;
    }

    public boolean knows(String jobId) {
        return store.containsKey(EntityKind.JOB + "/" + jobId);
    }

    public DomainStatus domain() {
        return (DomainStatus) java.util.Objects.requireNonNull(store.get(EntityKind.DOMAIN + "/" + CLUSTER))
                .value();
    }

    /** Returns the text of the policy in force, as stored. */
    public String policyText() {
        return ((PolicyStatus) java.util.Objects.requireNonNull(store.get(EntityKind.POLICY + "/" + CLUSTER))
                        .value())
                .getText();
    }

    public long reservedStart(String jobId) {
        ReservationStatus status = publishedReservations.get(jobId);
        return status == null ? -1 : status.getStart().getEpochSecond() - T0;
    }

    public List<String> started() {
        return lastCommands().stream()
                .filter(c -> c.getKind() == CommandKind.START_JOB)
                .map(RmCommand::getJobId)
                .toList();
    }

    public List<RmCommand> lastCommands() {
        return only(RmCommand.class);
    }

    public List<Decision> lastDecisions() {
        return only(Decision.class);
    }

    public List<Notification> lastNotifications() {
        return only(Notification.class);
    }

    public List<PluginQuestion> lastQuestions() {
        return only(PluginQuestion.class);
    }

    public List<RequestResult> lastAnswers() {
        return only(RequestResult.class);
    }

    public List<Charge> lastCharges() {
        return only(Charge.class);
    }

    public List<TriggerFiring> lastFirings() {
        return only(TriggerFiring.class);
    }

    public List<NonstopEvent> lastNonstopEvents() {
        return only(NonstopEvent.class);
    }

    public List<Change> snapshot() {
        return scheduler.snapshot();
    }

    public java.util.Optional<Rejection> check(SpecificRecord record) {
        return scheduler.check(new Fact(record, CONNECTOR, EPOCH));
    }

    public static Instant at(long time) {
        return Instant.ofEpochSecond(T0 + time);
    }

    public JobReport job(
            String id,
            JobState state,
            int tasks,
            int procsPerTask,
            long walltime,
            long submit,
            @Nullable Instant start,
            @Nullable Instant end,
            List<NodeAllocation> allocation,
            long asOf) {
        return JobReport.newBuilder()
                .setCluster(CLUSTER)
                .setJobId(id)
                .setQueueSequence(sequence++)
                .setUser("ann")
                .setState(state)
                .setTasks(tasks)
                .setProcsPerTask(procsPerTask)
                .setWalltimeSeconds(walltime)
                .setSubmitTime(at(submit))
                .setStartTime(start)
                .setEndTime(end)
                .setAllocation(allocation)
                .setAsOfCommand(asOf)
                .build();
    }

    public void fact(SpecificRecord record) {
        apply(new Fact(record, CONNECTOR, EPOCH));
    }

    private void apply(Fact fact) {
        prepare();
        java.util.Optional<Rejection> rejection = scheduler.check(fact);
        if (rejection.isPresent()) {
            throw new IllegalArgumentException(rejection.get().toString());
        }
        keep(scheduler.apply(fact));
    }

    private void prepare() {
        if (rebuildAlways) {
            scheduler = new ClusterScheduler(CLUSTER, budget);
            store.values().forEach(scheduler::replay);
            if (mostStarts != Long.MAX_VALUE) {
                scheduler.limitStarts(mostStarts);
            }
            if (mostUndivided > 0) {
                scheduler.limitReservations(mostUndivided, mostMakingRoom);
            }
        }
        if (forgetPlanAlways) {
            scheduler.forgetPlan();
        }
    }

    private void keep(List<Change> changes) {
        for (Change change : changes) {
            String key = change.kind() + "/" + change.id();
            if (change.value() == null) {
                store.remove(key);
            } else {
                store.put(key, change);
            }
        }
    }

    private <R> List<R> only(Class<R> type) {
        return last.stream()
                .map(Output::value)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static <R> void track(Map<String, R> view, String id, @Nullable R value) {
        if (value == null) {
            view.remove(id);
        } else {
            view.put(id, value);
        }
    }

    /** Says whether the plan goes on behind the last slice of the queue. */
    public boolean isPlanUnfinished() {
        return scheduler.isPlanUnfinished();
    }
}
