package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RmCommand;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An iteration that throws: the object it was working on is set aside by the journal, and the next one succeeds. */
class IterationQuarantineTest {
    private static final String PLANNING = "BackfillPlanner.";

    @Test
    void shouldHoldAJobThatPlanningFailsOnAndStartTheOthers() {
        try (TroubledStream stream = cursed(QuarantineKind.JOB, "j2", PLANNING)) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.job(3, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(started(stream.harness)).containsExactlyInAnyOrder("j1", "j3");
            assertThat(stream.harness.meter("weir.quarantine", "kind", "job", "change", "set_aside"))
                    .isEqualTo(1);
            stream.harness.advance(Duration.ofSeconds(1));
            assertThat(stream.harness.meter("weir.quarantine.objects")).isEqualTo(1);
            JobStatus held = job(stream.harness, "j2");
            assertThat(held.getHolds()).containsExactly("SYSTEM");
            assertThat(held.getMessages())
                    .containsExactly("set aside, the scheduler fails on it: ArithmeticException: integer overflow");
            assertThat(events(stream.harness)).containsExactly("job j2");
            assertClean(stream);
        }
    }

    /** Other jobs that trip over the same fault are found on copies, without a restart for each. */
    @Test
    void shouldHoldAllJobsThatFailAlikeAfterOneRestart() {
        Set<String> bad = Set.of("j2", "j3", "j5");
        try (TroubledStream stream = cursed((kind, id) -> bad.contains(id) && FaultyScheduler.calledBy(PLANNING))) {
            FakeConnector connector = started(stream);
            for (int number = 1; number <= 5; number++) {
                stream.deliver(connector.job(number, 1));
            }
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(started(stream.harness)).containsExactlyInAnyOrder("j1", "j4");
            assertClean(stream);
        }
    }

    @Test
    void shouldTakeAJobBackWhenItsHoldIsReleased() {
        AtomicBoolean mended = new AtomicBoolean();
        try (TroubledStream stream =
                cursed((kind, id) -> id.equals("j2") && !mended.get() && FaultyScheduler.calledBy(PLANNING))) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());
            stream.commit();
            mended.set(true);
            stream.deliver(request(stream.harness, RequestKind.RELEASE_JOB, "j2", "type", "system"));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(started(stream.harness)).containsExactly("j2");
            assertClean(stream);
        }
    }

    /** A release before the fault is mended costs another restart, and the job is held again. */
    @Test
    void shouldHoldAJobAgainThatIsReleasedTooEarly() {
        try (TroubledStream stream = cursed(QuarantineKind.JOB, "j2", PLANNING)) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());
            stream.commit();
            stream.deliver(request(stream.harness, RequestKind.RELEASE_JOB, "j2", "type", "system"));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());
            stream.commit();
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(job(stream.harness, "j2").getHolds()).containsExactly("SYSTEM");
            assertThat(stream.harness.iterations()).hasSize(3);
            assertClean(stream);
        }
    }

    @Test
    void shouldRefuseARequestThatFails() {
        try (TroubledStream stream = cursed(QuarantineKind.REQUEST, "r1", "RequestDispatcher.")) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            stream.deliver(request(stream.harness, RequestKind.HOLD_JOB, "j1", "type", "user"));
            stream.deliver(connector.heartbeat());

            assertThat(stream.harness.read(Topics.REQUEST_RESULTS))
                    .singleElement()
                    .satisfies(answer -> {
                        assertThat(answer.getOutcome()).isEqualTo(RequestOutcome.REFUSED);
                        assertThat(answer.getMessage()).contains("ArithmeticException: integer overflow");
                    });
            assertThat(stream.harness.meter("weir.requests", "outcome", "refused"))
                    .isEqualTo(1);
            assertThat(started(stream.harness)).containsExactly("j1");
            assertClean(stream);
        }
    }

    /** The answer is larger than its topic takes: it would come again with every restart. */
    @Test
    void shouldRefuseARequestWhoseAnswerIsTooLarge() {
        OutputLimits small = new OutputLimits(topic -> topic == Topics.REQUEST_RESULTS ? 460 : RecordSize.most(topic));
        try (TroubledStream stream = new TroubledStream(ClockMode.RM, ClusterScheduler::new, small)) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.heartbeat());
            stream.commit();
            stream.deliver(request(stream.harness, RequestKind.HOLD_JOB, "x".repeat(256), "type", "user"));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.read(Topics.REQUEST_RESULTS))
                    .singleElement()
                    .satisfies(answer -> {
                        assertThat(answer.getOutcome()).isEqualTo(RequestOutcome.REFUSED);
                        assertThat(answer.getMessage()).contains("record alpha/r1 for request-results has");
                    });
            assertThat(stream.harness.iterations()).hasSize(2);
            assertClean(stream);
        }
    }

    @Test
    void shouldKeepThePolicyInForceWhenTheNextOneFails() {
        try (TroubledStream stream = cursed(QuarantineKind.POLICY, "bad", "Iteration.adoptPolicy")) {
            FakeConnector connector = started(stream);
            stream.deliver(policy(stream.harness, "good", ""));
            stream.deliver(connector.heartbeat());
            stream.commit();
            stream.deliver(policy(stream.harness, "bad", "BACKFILLPOLICY NONE"));
            stream.deliver(connector.job(1, 1));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(last(stream.harness.iterations()).getPolicyVersion()).isEqualTo("good");
            assertThat(started(stream.harness)).containsExactly("j1");
            assertClean(stream);
        }
    }

    /** Whatever throws under a new policy and not under the old one: the policy is set aside, no job. */
    @Test
    void shouldBlameANewPolicyRatherThanTheJobsThatFailUnderIt() {
        AtomicBoolean strict = new AtomicBoolean();
        try (TroubledStream stream = cursed((kind, id) -> {
            if (kind == QuarantineKind.POLICY) {
                strict.set(true);
            } else if (kind == QuarantineKind.INPUT) {
                strict.set(false);
            }
            return kind == QuarantineKind.JOB && strict.get() && FaultyScheduler.calledBy(PLANNING);
        })) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.heartbeat());
            stream.commit();
            stream.deliver(policy(stream.harness, "bad", ""));
            stream.deliver(connector.job(1, 1));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(events(stream.harness)).containsExactly("scheduler bad");
            assertThat(job(stream.harness, "j1").getHolds()).isEmpty();
        }
    }

    @Test
    void shouldMakeNoMoreInstancesOfAStandingReservationThatFails() {
        AtomicBoolean broken = new AtomicBoolean();
        try (TroubledStream stream =
                cursed((kind, id) -> broken.get() && kind == QuarantineKind.STANDING_RESERVATION && id.equals("bad"))) {
            FakeConnector connector = started(stream);
            stream.deliver(policy(
                    stream.harness,
                    "v1",
                    "SRCFG[bad] PERIOD=INFINITY HOSTLIST=n1\nSRCFG[good] PERIOD=INFINITY HOSTLIST=n1\n"));
            stream.deliver(connector.heartbeat());
            stream.commit();
            broken.set(true);
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());
            stream.commit();
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.iterations()).hasSize(3);
            assertThat(events(stream.harness)).containsExactly("rsv bad");
            assertClean(stream);
        }
    }

    /** The node fails wherever it is met in an iteration; only a cluster where nothing is scheduled gets by. */
    @Test
    void shouldSuspendTheClusterWhenNothingElseHelpsAndGoOnWhenResumed() {
        AtomicBoolean mended = new AtomicBoolean();
        try (TroubledStream stream = cursed(
                (kind, id) -> !mended.get() && id.equals("n1") && FaultyScheduler.calledBy("Iteration.dateNodes"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.heartbeat());
            stream.commit();

            assertThat(last(stream.harness.iterations()).getStanding()).contains(new NameValue("state", "SUSPENDED"));
            assertThat(events(stream.harness)).containsExactly("scheduler alpha");
            assertThat(started(stream.harness)).isEmpty();

            stream.deliver(request(stream.harness, RequestKind.HOLD_JOB, "j1", "type", "user"));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());
            assertThat(last(stream.harness.read(Topics.REQUEST_RESULTS)).getMessage())
                    .isEqualTo("scheduling is suspended; an operator has to resume it first");

            mended.set(true);
            stream.deliver(request(stream.harness, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "resume"));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(started(stream.harness)).containsExactly("j1");
            assertThat(last(stream.harness.iterations()).getStanding()).isEmpty();
            assertClean(stream);
        }
    }

    @Test
    void shouldKeepTakingInputsWhenNotEvenASuspendedClusterGetsBy() {
        AtomicBoolean mended = new AtomicBoolean();
        try (TroubledStream stream = cursed((kind, id) -> !mended.get()
                && id.equals("j1")
                && (FaultyScheduler.calledBy("ClusterScheduler.iterate")
                        || FaultyScheduler.calledBy("Diagnosis.attempt")))) {
            FakeConnector alpha = started(stream);
            FakeConnector beta = new FakeConnector(stream.harness, "beta");
            stream.deliver(beta.hello());
            stream.deliver(beta.node("n1", 4));
            stream.deliver(beta.job(2, 1));
            stream.deliver(alpha.job(1, 1));
            stream.commit();
            stream.harness.start();
            stream.deliver(alpha.heartbeat());
            stream.deliver(beta.heartbeat());
            long before = stream.harness.journaledInputs();
            alpha.at(alpha.rmTime().plusSeconds(60));
            stream.deliver(alpha.heartbeat());

            assertThat(stream.harness.iterations())
                    .extracting(Iteration::getCluster)
                    .containsExactly("beta");
            assertThat(started(stream.harness)).containsExactly("j2");
            assertThat(stream.harness.journaledInputs()).isEqualTo(before + 1);
            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.halted()).containsOnlyKeys("alpha");

            mended.set(true);
            stream.deliver(request(stream.harness, RequestKind.CONTROL_SCHEDULER, "scheduler", "action", "resume"));
            alpha.at(alpha.rmTime().plusSeconds(60));
            stream.deliver(alpha.heartbeat());
            assertThat(started(stream.harness)).containsExactly("j2", "j1");
            assertThat(stream.harness.halted()).isEmpty();
            assertClean(stream);
        }
    }

    @Test
    void shouldRunAnIterationAgainThatFailedByChance() {
        AtomicBoolean once = new AtomicBoolean(true);
        try (TroubledStream stream =
                cursed((kind, id) -> id.equals("j1") && FaultyScheduler.calledBy(PLANNING) && once.getAndSet(false))) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(started(stream.harness)).containsExactly("j1");
            assertThat(events(stream.harness)).isEmpty();
        }
    }

    /** A process that dies between the failure and the record in the journal leaves nothing; the next one finds the same. */
    @Test
    void shouldFindTheSameInAProcessThatTakesOver() {
        try (TroubledStream stream = cursed(QuarantineKind.JOB, "j2", PLANNING)) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.job(2, 1));
            stream.takeOver(2);
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(3);
            assertThat(events(stream.harness)).containsExactly("job j2");
            assertThat(started(stream.harness)).containsExactly("j1");
            assertClean(stream);
        }
    }

    /** What is set aside is in the stores: the next process does not fail on it. */
    @Test
    void shouldKeepAsideWhatIsSetAsideInTheNextProcess() {
        try (TroubledStream stream = cursed(QuarantineKind.JOB, "j2", PLANNING)) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());
            stream.commit();
            stream.harness.takeOver();
            stream.deliver(connector.job(3, 1));
            connector.at(connector.rmTime().plusSeconds(60));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(started(stream.harness)).containsExactly("j3");
            assertThat(stream.harness.meter("weir.quarantine.objects")).isEqualTo(1);
            assertClean(stream);
        }
    }

    /** Whoever submits one thing that fails submits more: for a while nothing of it costs another restart. */
    @Test
    void shouldFindFurtherPoisonWithoutARestart() {
        try (TroubledStream stream =
                cursed((kind, id) -> kind == QuarantineKind.JOB && FaultyScheduler.calledBy(PLANNING))) {
            FakeConnector connector = started(stream);
            for (int number = 1; number <= 30; number++) {
                stream.deliver(connector.job(number, 1));
                stream.deliver(connector.heartbeat());
                stream.commit();
                connector.at(connector.rmTime().plusSeconds(60));
            }

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.iterations()).hasSize(30);
            assertThat(events(stream.harness)).hasSize(30);
            stream.harness.advance(Duration.ofSeconds(1));
            assertThat(stream.harness.meter("weir.quarantine.objects")).isEqualTo(30);
            assertClean(stream);
        }
    }

    /** Twenty iterations after the one that failed are watched; what fails later costs a restart again. */
    @ParameterizedTest
    @CsvSource({"19, 1", "20, 2"})
    void shouldWatchTwentyIterationsAfterAFailure(int good, int restarts) {
        try (TroubledStream stream =
                cursed((kind, id) -> kind == QuarantineKind.JOB && FaultyScheduler.calledBy(PLANNING))) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.job(1, 1));
            for (int iteration = 0; iteration <= good; iteration++) {
                stream.deliver(connector.heartbeat());
                stream.commit();
                connector.at(connector.rmTime().plusSeconds(60));
            }
            assertThat(stream.restarts()).isEqualTo(1);

            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(restarts);
            assertThat(events(stream.harness)).containsExactly("job j1", "job j2");
        }
    }

    @Test
    void shouldGoOnUnderTheWallClock() {
        try (TroubledStream stream = new TroubledStream(
                ClockMode.WALL,
                (kind, id) -> id.equals("j2") && FaultyScheduler.calledBy(PLANNING),
                () -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = started(stream);
            stream.deliver(connector.heartbeat());
            stream.deliver(connector.job(1, 1));
            stream.deliver(connector.job(2, 1));
            stream.advance(Duration.ofMillis(10));
            stream.advance(Duration.ofMillis(10));

            assertThat(started(stream.harness)).containsExactly("j1");
            assertThat(job(stream.harness, "j2").getHolds()).containsExactly("SYSTEM");
            assertClean(stream);
        }
    }

    private static TroubledStream cursed(QuarantineKind kind, String id, String method) {
        return cursed((found, name) -> found == kind && name.equals(id) && FaultyScheduler.calledBy(method));
    }

    private static TroubledStream cursed(BiPredicate<QuarantineKind, String> cursed) {
        return new TroubledStream(ClockMode.RM, cursed, () -> new ArithmeticException("integer overflow"));
    }

    private static FakeConnector started(TroubledStream stream) {
        FakeConnector connector = new FakeConnector(stream.harness);
        stream.deliver(connector.hello());
        stream.deliver(connector.node("n1", 8));
        return connector;
    }

    private int requests;

    private org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]> request(
            StreamHarness harness, RequestKind kind, String object, String name, String value) {
        String id = "r" + ++requests;
        return harness.write(
                Topics.REQUESTS,
                "alpha/" + id,
                Request.newBuilder()
                        .setCluster("alpha")
                        .setRequestId(id)
                        .setKind(kind)
                        .setObjectId(object)
                        .setPrincipal("root")
                        .setTime(harness.now())
                        .setArguments(List.of(new NameValue(name, value)))
                        .setLevel(1)
                        .build(),
                StreamHarness.noHeaders());
    }

    private static org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]> policy(
            StreamHarness harness, String version, String text) {
        return harness.write(
                Topics.POLICY,
                "alpha/" + version,
                PolicyVersion.newBuilder()
                        .setCluster("alpha")
                        .setVersion(version)
                        .setText(text)
                        .setSource("test")
                        .setPrincipal("root")
                        .setTime(harness.now())
                        .build(),
                StreamHarness.noHeaders());
    }

    private static List<String> started(StreamHarness harness) {
        return harness.read(Topics.COMMANDS).stream().map(RmCommand::getJobId).toList();
    }

    private static JobStatus job(StreamHarness harness, String id) {
        List<JobStatus> versions = new ArrayList<>(harness.read(Topics.JOBS));
        versions.removeIf(job -> !job.getJobId().equals(id));
        return last(versions);
    }

    private static List<String> events(StreamHarness harness) {
        return harness.read(Topics.NOTIFICATIONS).stream()
                .filter(notification -> notification.getEvent().equals("quarantine"))
                .map(notification -> notification.getObjectType() + " " + notification.getObjectId())
                .toList();
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    private static void assertClean(TroubledStream stream) {
        AuditReport report = stream.audit();
        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.isClean()).isTrue();
    }
}
