package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TriggerFiring;
import io.weir.schemas.bound.Bound.Moment;
import io.weir.topics.AvroTrust;
import io.weir.topics.RecordSize;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Lives of a small cluster among inputs that nobody should send. Whatever is accepted is applied without an exception,
 * everything that is stored or put out is encoded and fits its topic, and a scheduler rebuilt from what was stored, or given
 * the same inputs again, puts out the same bytes. A failure names its seed. {@code -Dweir.hostile.lives=100000} runs so many,
 * {@code -Dweir.hostile.seed=N} begins with that seed.
 */
@NullUnmarked
class HostileLivesPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.hostile.lives", 100);
    private static final long FIRST = Long.getLong("weir.hostile.seed", 1);
    private static final int STEPS = 14;
    private static final int MOST_FAILURES = 20;

    static {
        AvroTrust.install();
    }

    /** An input as it is in the log: a fact and who says so, or the instant of an iteration. */
    private record Input(
            @Nullable SpecificRecord fact, @Nullable String connector, Instant now) {}

    /** An output as it is in the log; null for one that removes what was there. */
    private record Written(
            OutputKind kind, String key, @Nullable Encoded value) {}

    @Test
    void shouldDigestWhateverIsSent() {
        long accepted = 0;
        long refused = 0;
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + LIVES; seed++) {
            if (LIVES > 1_000 && seed % 100 == 0) {
                System.out.println("seed " + seed);
            }
            try {
                Life life = new Life(seed);
                life.run();
                accepted += life.accepted;
                refused += life.refused;
                checkSame(replay(life.inputs, 1 + (int) (seed % 5)), life.core);
            } catch (AssertionError | RuntimeException | StackOverflowError failure) {
                failures.add("seed " + seed + ": " + describe(failure));
            }
            if (failures.size() == MOST_FAILURES) {
                break;
            }
        }
        assertThat(failures).isEmpty();
        assertThat(accepted).as("facts accepted").isGreaterThan(refused);
        assertThat(refused).as("facts refused").isGreaterThan(LIVES);
    }

    private static String describe(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String text = String.valueOf(failure);
        return text.substring(0, Math.min(2_500, text.length())) + " at "
                + Arrays.asList(trace).subList(0, Math.min(12, trace.length));
    }

    /** Compares one by one, so that a failure shows the first difference alone. */
    private static void checkSame(Core again, Core once) {
        for (int i = 0; i < Math.min(again.written.size(), once.written.size()); i++) {
            if (!again.written.get(i).equals(once.written.get(i))) {
                assertThat(again.written.get(i)).as("output " + i).hasToString(String.valueOf(once.written.get(i)));
            }
        }
        assertThat(again.written.stream().skip(once.written.size()))
                .as("more outputs")
                .isEmpty();
        assertThat(once.written.stream().skip(again.written.size()))
                .as("missing outputs")
                .isEmpty();
    }

    private static Core replay(List<Input> inputs, int rebuildEvery) {
        Core core = new Core();
        for (int i = 0; i < inputs.size(); i++) {
            if (i % rebuildEvery == 0) {
                core.rebuild();
            }
            Input input = inputs.get(i);
            if (input.fact() == null) {
                core.iterate(input.now());
            } else {
                assertThat(core.apply(new Fact(input.fact(), input.connector(), SchedulerFixture.EPOCH)))
                        .as("taken again: " + input.fact())
                        .isTrue();
            }
        }
        return core;
    }

    /** A scheduler with what a store and the log would hold of it, as bytes. */
    private static final class Core {
        private ClusterScheduler scheduler = new ClusterScheduler(SchedulerFixture.CLUSTER);
        private final Map<String, Encoded> store = new TreeMap<>();
        private final List<Written> written = new ArrayList<>();
        private List<Output> last = List.of();

        void rebuild() {
            scheduler = new ClusterScheduler(SchedulerFixture.CLUSTER);
            store.forEach((key, value) -> {
                int slash = key.indexOf('/');
                EntityKind kind = EntityKind.valueOf(key.substring(0, slash));
                scheduler.replay(new Change(kind, key.substring(slash + 1), value.decoded()));
            });
        }

        boolean apply(Fact fact) {
            if (scheduler.check(fact).isPresent()) {
                return false;
            }
            keep(scheduler.apply(fact));
            return true;
        }

        void iterate(Instant now) {
            IterationResult result = scheduler.iterate(now, IterationTrigger.EVENT, null);
            keep(result.changes());
            last = result.outputs();
            for (Output output : last) {
                SpecificRecord value = output.value();
                Encoded encoded = value == null ? null : Encoded.of(value);
                assertThat((encoded == null ? 0 : encoded.bytes().length)
                                + output.key().length() * 3
                                + 100)
                        .as(output.kind() + " " + output.key())
                        .isLessThan(RecordSize.most(OutputTopics.of(output.kind())));
                written.add(new Written(output.kind(), output.key(), encoded));
            }
        }

        /** Returns what the last iteration had the notifier do. */
        List<TriggerFiring> firings() {
            return last.stream()
                    .filter(output -> output.value() instanceof TriggerFiring)
                    .map(output -> (TriggerFiring) output.value())
                    .toList();
        }

        private void keep(List<Change> changes) {
            for (Change change : changes) {
                String key = change.kind() + "/" + change.id();
                SpecificRecord value = change.value();
                if (value == null) {
                    store.remove(key);
                } else {
                    Encoded encoded = Encoded.of(value);
                    assertThat(encoded.bytes().length).as(key).isLessThan(RecordSize.LARGEST);
                    store.put(key, encoded);
                }
            }
        }
    }

    /** One seed's life; every input is remembered as it was applied. */
    private static final class Life {
        private final Random random;
        private final OddInputs odd;
        private final Hostility hostility;
        private final OddAutomation automation;
        private final Core core = new Core();
        private final List<Input> inputs = new ArrayList<>();
        private final List<String> jobs = new ArrayList<>();
        private long accepted;
        private long refused;

        Life(long seed) {
            random = new Random(seed);
            odd = new OddInputs(random);
            hostility = new Hostility(random);
            automation = new OddAutomation(random);
        }

        void run() {
            fact(beat(HeartbeatKind.HELLO, 0));
            policy();
            for (int i = 0; i < 2 + random.nextInt(4); i++) {
                fact(hostile(node("n" + i)));
            }
            long now = 0;
            for (int step = 0; step < STEPS; step++) {
                now += odd.one(List.of(0, 1, 20, 60, 4_000, 90_000));
                for (int i = random.nextInt(4); i > 0; i--) {
                    something(now, step);
                }
                Instant instant = odd.oneIn(60) ? Moment.END.minusMillis(1) : SchedulerFixture.at(now);
                inputs.add(new Input(null, null, instant));
                core.iterate(instant);
                answers(now);
            }
        }

        private void something(long now, int step) {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> {
                    String id = "j" + (1000 + jobs.size());
                    jobs.add(id);
                    fact(hostile(job(id, now)));
                }
                case 3 -> fact(hostile(node("n" + random.nextInt(6))));
                case 10 -> fact(hostile(automation.metric(now)));
                case 11 -> fact(hostile(automation.event(jobs, now)));
                case 12 -> fact(hostile(failureRequest()));
                case 4, 5 ->
                    fact(odd.oneIn(3) ? hostile(odd.request(jobs)) : hostility.request(odd.request(jobs), objects()));
                case 6 -> policy();
                case 7 -> fact(hostile(running(now)));
                case 8 -> fact(odd.oneIn(3) ? hostile(quarantine(now)) : hostile(event(now)));
                case 9 -> fact(hostile(odd.delivery(core.firings(), now)));
                default -> fact(hostile(beat(HeartbeatKind.HEARTBEAT, 1 + step)));
            }
        }

        /** A waiting job, some with an extension that nobody can mean or with triggers of their own. */
        private JobReport job(String id, long now) {
            JobReport job = odd.job(id, jobs.size(), now);
            if (odd.oneIn(3)) {
                String extension = switch (random.nextInt(4)) {
                    case 0 -> "trig=" + automation.trigger();
                    case 1 -> automation.failurePolicy();
                    default -> hostility.extension();
                };
                return JobReport.newBuilder(job).setExtension(extension).build();
            }
            return job;
        }

        private NodeReport node(String id) {
            NodeReport node = odd.node(id);
            return odd.oneIn(4)
                    ? NodeReport.newBuilder(node)
                            .setCategory(automation.category())
                            .build()
                    : node;
        }

        /** What jobs ask of the failure service, and operators of nodes, mostly in a way that makes sense. */
        private Request failureRequest() {
            Request like = odd.request(jobs);
            String job = jobs.isEmpty() ? "j999" : odd.one(jobs);
            String node = "n" + random.nextInt(6);
            Request.Builder request = Request.newBuilder(like).setArguments(List.of());
            switch (random.nextInt(11)) {
                case 8 ->
                    request.setKind(RequestKind.SHOW_CREDENTIAL_STATISTICS)
                            .setObjectId(odd.one(List.of("ALL", "ann", "u1", "")))
                            .setArguments(OddInputs.pair(
                                    "kind", odd.one(List.of("user", "group", "account", "qos", "class", "x"))));
                case 9 ->
                    request.setKind(RequestKind.CONTROL_SCHEDULER)
                            .setArguments(List.of(
                                    new NameValue("action", "clear"),
                                    new NameValue(
                                            "statistics", odd.one(List.of("all", "fairshare", "usage", "nodes")))));
                case 0, 1 ->
                    request.setKind(RequestKind.REPLACE_JOB_NODE)
                            .setObjectId(job)
                            .setArguments(OddInputs.pair("node", node));
                case 2 ->
                    request.setKind(RequestKind.DROP_JOB_NODE)
                            .setObjectId(job)
                            .setArguments(OddInputs.pair("node", node));
                case 3 ->
                    request.setKind(RequestKind.EXTEND_JOB)
                            .setObjectId(job)
                            .setArguments(
                                    OddInputs.pair("minutes", odd.one(List.of("1", "65533", "99999999999", "-1"))));
                case 4 ->
                    request.setKind(RequestKind.DRAIN_NODES)
                            .setObjectId(job)
                            .setArguments(List.of(
                                    new NameValue("nodes", odd.one(List.of(node, "n[0-5]", "ALL", "n[0-999999999]"))),
                                    new NameValue("reason", "flaky")));
                case 5 ->
                    request.setKind(odd.one(List.of(RequestKind.SUBSCRIBE_JOB, RequestKind.UNSUBSCRIBE_JOB)))
                            .setObjectId(job)
                            .setArguments(
                                    OddInputs.pair("endpoint", "http://n1:" + random.nextInt(70_000) + "/events"));
                case 6 ->
                    request.setKind(odd.one(List.of(RequestKind.SHOW_NONSTOP, RequestKind.SHOW_JOB_FAILURES)))
                            .setObjectId(job);
                case 7 ->
                    request.setKind(RequestKind.MODIFY_NODE)
                            .setObjectId(node)
                            .setArguments(OddInputs.pair(
                                    odd.one(List.of("category", "failing", "gevent", "trigger", "gmetric[temp]")),
                                    odd.oneIn(2) ? automation.category() : automation.trigger()));
                default ->
                    request.setKind(odd.one(List.of(
                                    RequestKind.SHOW_NODE,
                                    RequestKind.SHOW_NODE_STATISTICS,
                                    RequestKind.SHOW_CREDENTIAL_STATISTICS,
                                    RequestKind.SHOW_TRIGGERS,
                                    RequestKind.SHOW_EVENTS)))
                            .setObjectId(node);
            }
            return request.setPrincipal(odd.one(List.of("ann", "bob", "root"))).build();
        }

        private GenericEvent event(long now) {
            return new GenericEvent(
                    SchedulerFixture.CLUSTER,
                    hostility.word(),
                    odd.one(List.of("node", "job", "rm", "x")),
                    odd.one(List.of("n0", "n1", "rm", "j1000")),
                    hostility.word(),
                    SchedulerFixture.at(now),
                    null,
                    true,
                    random.nextInt(3) > 0 ? null : automation.measurements());
        }

        /** What the shell sets aside, rightly or not, and takes back. */
        private Quarantine quarantine(long now) {
            QuarantineKind kind = odd.one(List.of(QuarantineKind.values()));
            String id = switch (kind) {
                case JOB, PLUGIN_QUESTION -> jobs.isEmpty() ? "j999" : odd.one(jobs);
                case NODE -> "n" + random.nextInt(6);
                case RESERVATION -> odd.one(List.of("system.1", "s1.0.1", "ann.1"));
                case STANDING_RESERVATION -> "s1";
                case REQUEST, POLICY, INPUT, UNKNOWN ->
                    odd.one(List.of("r" + inputs.size(), "v" + (inputs.size() - 1)));
                case CLUSTER -> SchedulerFixture.CLUSTER;
                case TRIGGER -> "t" + random.nextInt(4);
            };
            return new Quarantine(
                    SchedulerFixture.CLUSTER,
                    kind,
                    id,
                    "ArithmeticException",
                    hostility.word(),
                    SchedulerFixture.at(now),
                    "test",
                    odd.oneIn(kind == QuarantineKind.CLUSTER ? 2 : 4));
        }

        private List<String> objects() {
            List<String> objects = new ArrayList<>(jobs);
            objects.addAll(List.of("n0", "n1", "s1", "s1.0.1", "system.1", "ann.1", "ALL", "-", "(a|a)*b"));
            return objects;
        }

        private JobReport running(long now) {
            String id = jobs.isEmpty() ? "j999" : odd.one(jobs);
            return JobReport.newBuilder(odd.job(id, 1, now))
                    .setState(
                            odd.one(List.of(JobState.RUNNING, JobState.SUSPENDED, JobState.COMPLETED, JobState.FAILED)))
                    .setProcsReleased(odd.oneIn(2))
                    .setStartTime(SchedulerFixture.at(now))
                    .setApplication(hostility.word())
                    .setUsedCpuSeconds(odd.oneIn(2) ? odd.one(List.of(0L, 60L, Long.MAX_VALUE)) : null)
                    .setAllocation(List.of(new NodeAllocation("n" + random.nextInt(3), 1)))
                    .build();
        }

        private void answers(long now) {
            for (Output output : core.last) {
                if (output.value() instanceof RmCommand command && !odd.oneIn(4)) {
                    fact(hostile(new CommandResult(
                            SchedulerFixture.CLUSTER,
                            SchedulerFixture.CONNECTOR,
                            command.getNumber(),
                            command.getCommandId(),
                            command.getJobId(),
                            odd.one(List.of(CommandOutcome.DONE, CommandOutcome.REFUSED, CommandOutcome.EXPIRED)),
                            SchedulerFixture.at(now),
                            hostility.word(),
                            random.nextBoolean(),
                            false)));
                }
                if (output.value() instanceof io.weir.schemas.PluginQuestion question) {
                    fact(hostile(new PluginAnswer(
                            SchedulerFixture.CLUSTER,
                            question.getQuestionId(),
                            question.getJobId(),
                            SchedulerFixture.at(now),
                            odd.oneIn(2) ? hostility.word() : null,
                            List.of())));
                }
            }
        }

        private void policy() {
            String text = odd.configuration() + (odd.oneIn(2) ? automation.configuration() : "");
            if (!odd.oneIn(3)) {
                text += hostility.configuration();
            }
            fact(hostile(new PolicyVersion(
                    SchedulerFixture.CLUSTER, "v" + inputs.size(), text, null, null, SchedulerFixture.at(0))));
        }

        private static Heartbeat beat(HeartbeatKind kind, long number) {
            return new Heartbeat(
                    SchedulerFixture.CLUSTER,
                    SchedulerFixture.CONNECTOR,
                    kind,
                    number,
                    false,
                    SchedulerFixture.at(number),
                    0L,
                    List.of(),
                    "simulated",
                    null,
                    null,
                    null,
                    null);
        }

        private <T extends SpecificRecord> T hostile(T record) {
            return odd.oneIn(3) ? hostility.spoilt(record) : record;
        }

        private void fact(SpecificRecord said) {
            SpecificRecord record = Encoded.of(said).decoded();
            String connector = SchedulerFixture.CONNECTOR;
            if (core.apply(new Fact(record, connector, SchedulerFixture.EPOCH))) {
                accepted++;
                inputs.add(new Input(record, connector, Instant.EPOCH));
            } else {
                refused++;
            }
        }
    }
}
