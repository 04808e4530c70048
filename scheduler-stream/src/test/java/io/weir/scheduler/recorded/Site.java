package io.weir.scheduler.recorded;

import io.weir.scheduler.stream.ClockMode;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestResult;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A cluster in the hands of the real stream, with scripted resource managers, operators and plug-ins around it. Time goes
 * from poll to poll; what is planned for an instant happens at the first poll that is not before it. Minutes are counted
 * from the beginning, Sunday, 2026-03-01, 00:00 UTC.
 */
public final class Site implements AutoCloseable {
    private static final String CLUSTER = StreamHarness.CLUSTER;
    private static final int MOST_ROUNDS = 50;

    /** Long enough for facts that came together to be decided about together, under the wall clock. */
    private static final Duration COALESCED = Duration.ofMillis(10);

    private final StreamHarness harness;
    private final boolean wallClock;
    private final Instant begin;
    private final Map<String, ScriptedConnector> managers = new LinkedHashMap<>();
    private final TreeMap<Long, List<Runnable>> plans = new TreeMap<>();
    private Function<TriggerFiring, List<DeliveryResult.Builder>> notifier = firing -> List.of();
    private int firingsSeen;
    private Function<PluginQuestion, PluginAnswer.Builder> plugin = question -> PluginAnswer.newBuilder();
    private int questionsSeen;
    private int requests;
    private int policies;
    private long lastJob;

    Site(boolean wallClock) {
        this.wallClock = wallClock;
        harness = new StreamHarness(StreamHarness.settings(wallClock ? ClockMode.WALL : ClockMode.RM, false));
        harness.codec.prepare(Topics.all());
        begin = harness.now();
    }

    StreamHarness harness() {
        return harness;
    }

    /** Returns the resource manager of most lives. */
    public ScriptedConnector manager() {
        return manager("rm");
    }

    /** Returns the resource manager called {@code name}. */
    public ScriptedConnector manager(String name) {
        return managers.computeIfAbsent(name, it -> new ScriptedConnector(harness, it));
    }

    /** Publishes a configuration. */
    public void policy(String text) {
        String version = "v" + ++policies;
        deliver(Topics.POLICY, version, new PolicyVersion(CLUSTER, version, text, null, null, harness.now()));
    }

    /** Asks for something as the administrator root; arguments are names and values in turn. */
    public void request(RequestKind kind, String object, String... arguments) {
        requestOf("root", kind, object, arguments);
    }

    /** Asks for something as {@code principal}. */
    public void requestOf(String principal, RequestKind kind, String object, String... arguments) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        String id = "r" + ++requests;
        Integer level = principal.equals("root") ? 1 : null;
        Request request = new Request(CLUSTER, id, principal, kind, object, null, harness.now(), pairs, level);
        deliver(Topics.REQUESTS, id, request);
    }

    /** Has monitoring say something about a node. */
    public void event(String name, String node, String message) {
        deliver(
                Topics.MONITORING_EVENTS,
                node,
                new GenericEvent(CLUSTER, name, "node", node, message, harness.now(), "monitoring", true, null));
    }

    /** Has the site's allocation plug-in answer like this. */
    /** Says how the notifier answers the firings of triggers; without it never. */
    public void firings(Function<TriggerFiring, List<DeliveryResult.Builder>> answers) {
        notifier = answers;
    }

    public void plugin(Function<PluginQuestion, PluginAnswer.Builder> answers) {
        plugin = answers;
    }

    /** Returns an answer that names these nodes, for one task each or for more. */
    public static PluginAnswer.Builder nodes(Stream<String> nodes, int mostTasks) {
        return PluginAnswer.newBuilder()
                .setChoices(nodes.map(node -> new PluginChoice(node, mostTasks)).toList());
    }

    /** Plans something for a minute after the beginning. */
    public void at(long minute, Runnable what) {
        plan(begin.plus(Duration.ofMinutes(minute)), what);
    }

    /** Returns the present instant. */
    public Instant now() {
        return harness.now();
    }

    private void plan(Instant instant, Runnable what) {
        plans.computeIfAbsent(instant.toEpochMilli(), it -> new ArrayList<>()).add(what);
    }

    /** Makes a job of one of a stream of jobs what it is. */
    @FunctionalInterface
    public interface Shape {
        /** Completes the report of the job with this number; it has a name, a user and a limit already. */
        void complete(long number, Random random, JobReport.Builder job);
    }

    /** Makes a job ask for {@code tasks} tasks with more than processors. */
    public static void require(JobReport.Builder job, int tasks, Consumer<TaskRequirement.Builder> more) {
        TaskRequirement.Builder requirement = TaskRequirement.newBuilder().setTasks(tasks);
        more.accept(requirement);
        List<TaskRequirement> all = new ArrayList<>(job.hasRequirements() ? job.getRequirements() : List.of());
        all.add(requirement.build());
        job.setRequirements(all)
                .setTasks(all.stream().mapToInt(TaskRequirement::getTasks).sum());
    }

    /** Plans jobs that arrive on average every {@code gap} seconds from a minute on, at the first resource manager. */
    public void jobs(int count, int gap, long minute, long seed, Shape shape) {
        jobs(manager(), count, gap, minute, seed, shape);
    }

    /** The same, at {@code manager}. Jobs run for 20 to 100 percent of their limits. */
    public void jobs(ScriptedConnector manager, int count, int gap, long minute, long seed, Shape shape) {
        Random random = new Random(seed);
        Instant arrival = begin.plus(Duration.ofMinutes(minute));
        for (int i = 0; i < count; i++) {
            long number = ++lastJob;
            arrival = arrival.plusSeconds(1 + random.nextInt(2 * gap));
            JobReport.Builder job = JobReport.newBuilder()
                    .setCluster(CLUSTER)
                    .setJobId("j" + number)
                    .setQueueSequence(number)
                    .setUser(List.of("ann", "bob", "cyd", "dan", "eve").get(random.nextInt(5)))
                    .setTasks(1)
                    .setProcsPerTask(1)
                    .setWalltimeSeconds(60L * (10 + random.nextInt(230)))
                    .setState(io.weir.schemas.JobState.IDLE)
                    .setSubmitTime(arrival);
            shape.complete(number, random, job);
            long seconds = job.getWalltimeSeconds() * (20 + random.nextInt(81)) / 100;
            plan(arrival, () -> manager.submit(job.build(), seconds));
        }
    }

    /** Lets the site live until a minute, with a poll of every resource manager each {@code interval} minutes. */
    public void runUntil(long minute, long interval) {
        Instant end = begin.plus(Duration.ofMinutes(minute));
        while (harness.now().isBefore(end)) {
            poll();
            settle();
            harness.advance(Duration.ofMinutes(interval).minusMillis(sinceFullMinute()));
        }
        poll();
        settle();
    }

    private long sinceFullMinute() {
        return harness.now().toEpochMilli() % Duration.ofMinutes(1).toMillis();
    }

    private void poll() {
        long now = harness.now().toEpochMilli();
        while (!plans.isEmpty() && plans.firstKey() <= now) {
            plans.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        managers.values().forEach(manager -> manager.poll(harness.now()));
    }

    /** Lets commands be carried out and questions be answered until nothing follows any more. */
    private void settle() {
        boolean busy = true;
        for (int round = 0; busy; round++) {
            busy = answerQuestions() | answerFirings();
            for (ScriptedConnector manager : managers.values()) {
                busy |= manager.carryOut(harness.now());
            }
            if (!wallClock) {
                return;
            }
            harness.advance(COALESCED);
            if (round == MOST_ROUNDS) {
                throw new IllegalStateException("commands and questions never end at " + harness.now());
            }
        }
    }

    private boolean answerQuestions() {
        List<PluginQuestion> questions = harness.read(Topics.PLUGIN_QUESTIONS);
        List<PluginQuestion> fresh = questions.subList(questionsSeen, questions.size());
        questionsSeen = questions.size();
        for (PluginQuestion question : fresh) {
            PluginAnswer answer = plugin.apply(question)
                    .setCluster(CLUSTER)
                    .setQuestionId(question.getQuestionId())
                    .setJobId(question.getJobId())
                    .setTime(harness.now())
                    .build();
            deliver(Topics.PLUGIN_ANSWERS, question.getJobId(), answer);
        }
        return !fresh.isEmpty();
    }

    private boolean answerFirings() {
        List<TriggerFiring> firings = harness.read(Topics.TRIGGER_FIRINGS);
        List<TriggerFiring> fresh = firings.subList(firingsSeen, firings.size());
        firingsSeen = firings.size();
        for (TriggerFiring firing : fresh) {
            for (DeliveryResult.Builder result : notifier.apply(firing)) {
                deliver(
                        Topics.DELIVERY_RESULTS,
                        firing.getFiringId(),
                        result.setCluster(CLUSTER)
                                .setDeliveryId(firing.getFiringId())
                                .setTriggerId(firing.getTriggerId())
                                .setTime(harness.now())
                                .build());
            }
        }
        return !fresh.isEmpty();
    }

    private <T extends SpecificRecord> void deliver(Topic<T> topic, String entity, T value) {
        harness.deliver(harness.write(topic, CLUSTER + "/" + entity, value, StreamHarness.noHeaders()));
    }

    // --- what came of it, for assertions ----------------------------------------------------------------------------

    /** Returns every decision of {@code kind}, in order. */
    public List<Decision> decisions(DecisionKind kind) {
        return harness.read(Topics.DECISIONS).stream()
                .filter(decision -> decision.getKind() == kind)
                .toList();
    }

    /** Returns every version of every job that was published, in order. */
    public List<JobStatus> jobVersions() {
        return harness.read(Topics.JOBS);
    }

    /** Returns every iteration, in order. */
    public List<Iteration> iterations() {
        return harness.iterations();
    }

    /** Returns every record put out on {@code topic}, in order. */
    public <T extends SpecificRecord> List<T> published(Topic<T> topic) {
        return harness.read(topic);
    }

    /** Returns the events of every notification, in order. */
    public List<String> notices() {
        return harness.read(Topics.NOTIFICATIONS).stream()
                .map(Notification::getEvent)
                .toList();
    }

    /** Returns the answers to requests, in order. */
    public List<RequestResult> answers() {
        return harness.read(Topics.REQUEST_RESULTS);
    }

    /** Returns the ids of jobs that were started while jobs ahead of them waited. */
    public List<String> backfilled() {
        return jobVersions().stream()
                .filter(JobStatus::getBackfilled)
                .map(JobStatus::getJobId)
                .distinct()
                .toList();
    }

    List<ConsumerRecord<byte[], byte[]>> records(Topic<?> topic) {
        return harness.log.records(StreamHarness.NAMES.full(topic));
    }

    @Override
    public void close() {
        harness.close();
    }
}
