package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.QuarantineKind;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** An input the core throws on: set aside at the second failure, by the journal, and nobody else notices. */
class InputQuarantineTest {
    private final AtomicInteger failures = new AtomicInteger();

    @Test
    void shouldSetAsideAnInputThatFailsTwiceAndGoOn() {
        try (TroubledStream stream = cursedJob("j2", () -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.job(1, 1));
            stream.commit();
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.job(3, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.read(Topics.DEAD_LETTERS))
                    .extracting(DeadLetter::getTopic, DeadLetter::getOffset, DeadLetter::getCause)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("rm.jobs", 1L, "QUARANTINED"));
            assertThat(stream.harness.read(Topics.DEAD_LETTERS).get(0).getMessage())
                    .isEqualTo("ArithmeticException: integer overflow");
            assertThat(stream.harness.read(Topics.JOBS))
                    .extracting(JobStatus::getJobId)
                    .contains("j1", "j3")
                    .doesNotContain("j2");
            assertThat(stream.harness.iterations()).hasSize(1);
            assertThat(stream.harness.read(Topics.NOTIFICATIONS))
                    .filteredOn(notification -> notification.getEvent().equals("quarantine"))
                    .singleElement()
                    .satisfies(notification -> {
                        assertThat(notification.getObjectId()).isEqualTo("rm.jobs-0@1");
                        assertThat(notification.getText()).contains("integer overflow");
                    });
        }
    }

    /** A flood of inputs that all fail costs one restart; what is sound among them is taken. */
    @Test
    void shouldSetAsideAFloodWithOneRestart() {
        try (TroubledStream stream = new TroubledStream(
                ClockMode.RM,
                (kind, id) -> kind == QuarantineKind.JOB && id.startsWith("j") && !id.equals("j50"),
                ArithmeticException::new)) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            for (int number = 1; number <= 100; number++) {
                stream.deliver(connector.job(number, 1));
            }
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.causes()).hasSize(99).containsOnly("QUARANTINED");
            assertThat(stream.harness.read(Topics.COMMANDS))
                    .extracting(command -> command.getJobId())
                    .containsExactly("j50");
            assertThat(stream.audit().isClean()).isTrue();
        }
    }

    @Test
    void shouldReplayAJournalWithAQuarantineToTheSameOutputs() {
        try (TroubledStream stream = cursedJob("j2", () -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());
            stream.deliver(connector.job(3, 1));
            stream.deliver(connector.heartbeat());

            AuditReport report = stream.audit();

            assertThat(report.firstDivergence()).isEmpty();
            assertThat(report.isClean()).isTrue();
            assertThat(report.clusters().get(0).iterations()).isEqualTo(2);
        }
    }

    /** A report that waits for its nodes fails when they come; the fact that brought them is not to blame. */
    @Test
    void shouldSetAsideAnInputThatWaitedAndTakeTheOneThatReleasedIt() {
        try (TroubledStream stream = cursedJob("j2", () -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.running(2, 1, "n1"));
            stream.commit();
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.heartbeat());

            assertThat(stream.harness.read(Topics.DEAD_LETTERS))
                    .extracting(DeadLetter::getTopic)
                    .containsExactly("rm.jobs");
            assertThat(stream.harness.read(Topics.NODES)).hasSize(1);
            assertThat(stream.harness.iterations()).hasSize(1);
        }
    }

    @Test
    void shouldTakeAStackThatRunsOverForTheFaultOfTheInput() {
        try (TroubledStream stream = cursedJob("j2", StackOverflowError::new)) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.harness.causes()).containsExactly("QUARANTINED");
            assertThat(stream.harness.iterations()).hasSize(1);
        }
    }

    @Test
    void shouldTakeAnInputThatFailedOnceOnly() {
        try (TroubledStream stream = new TroubledStream(
                ClockMode.RM,
                (kind, id) -> id.equals("j2") && failures.getAndIncrement() == 0,
                IllegalStateException::new)) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(1);
            assertThat(stream.harness.causes()).isEmpty();
            assertThat(stream.harness.read(Topics.JOBS)).isNotEmpty();
        }
    }

    /** Job j2 fails by chance, then j3, and when all begins again because of that j2 once more. */
    @Test
    void shouldForgetAFailureOfAnInputThatWasTakenInSince() {
        try (TroubledStream stream = new TroubledStream(
                ClockMode.RM,
                (kind, id) -> kind == QuarantineKind.JOB
                        && FaultyScheduler.calledBy("ClusterTask.apply")
                        && failures.get() < 3
                        && id.equals(failures.get() == 1 ? "j3" : "j2")
                        && failures.incrementAndGet() > 0,
                IllegalStateException::new)) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            stream.deliver(connector.node("n1", 4));
            stream.deliver(connector.job(2, 1));
            stream.deliver(connector.job(3, 1));
            stream.deliver(connector.heartbeat());

            assertThat(stream.restarts()).isEqualTo(3);
            assertThat(stream.harness.causes()).isEmpty();
        }
    }

    @Test
    void shouldSetAsideAnInputThatCannotBeDecodedForAFaultOfThisBuild() {
        PartialRegistry registry = new PartialRegistry();
        try (AvroCodec writer = registry.codec();
                StreamHarness harness = new StreamHarness(
                        StreamHarness.settings(ClockMode.RM, false),
                        ClusterScheduler::new,
                        new OutputLimits(),
                        registry.codec())) {
            writer.prepare(SchedulerTopology.inputs());
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            byte[] value =
                    writer.encode(Topics.RM_JOBS, connector.jobReport(1, 1).build());
            ConsumerRecord<byte[], byte[]> job = harness.write(
                    Topics.RM_JOBS,
                    "alpha/j1".getBytes(StandardCharsets.UTF_8),
                    value,
                    harness.now().toEpochMilli(),
                    connector.nextHeaders(Topics.RM_JOBS));
            registry.spoil(Topics.RM_JOBS);
            for (int failure = 1; failure <= 2; failure++) {
                assertThatThrownBy(() -> harness.deliver(job))
                        .isInstanceOf(StreamRestartException.class)
                        .hasRootCauseMessage("Schema with two names");
                harness.start();
            }

            harness.deliver(job);

            assertThat(harness.causes()).containsExactly("QUARANTINED");
            harness.deliver(connector.heartbeat());
            assertThat(harness.iterations()).as("it was counted").hasSize(1);
        }
    }

    @Test
    void shouldLeaveFailuresOfTheMachineToTheService() {
        try (TroubledStream stream = cursedJob("j2", () -> new TimeoutException("broker away"))) {
            FakeConnector connector = new FakeConnector(stream.harness);
            stream.deliver(connector.hello());
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> stream.harness.deliver(connector.job(2, 1)))
                        .hasRootCauseInstanceOf(TimeoutException.class);
                stream.harness.start();
            }

            assertThat(stream.harness.causes()).isEmpty();
        }
    }

    @Test
    void shouldNotDisturbAnotherClusterOfTheTask() {
        try (TroubledStream stream = cursedJob("j2", () -> new ArithmeticException("integer overflow"))) {
            FakeConnector alpha = new FakeConnector(stream.harness);
            FakeConnector beta = new FakeConnector(stream.harness, "beta");
            stream.deliver(alpha.hello());
            stream.deliver(beta.hello());
            stream.deliver(beta.node("n1", 4));
            stream.deliver(alpha.job(2, 1));
            stream.deliver(beta.job(1, 1));
            stream.deliver(beta.heartbeat());

            assertThat(stream.harness.iterations())
                    .extracting(Iteration::getCluster)
                    .containsExactly("beta");
            assertThat(stream.harness.read(Topics.COMMANDS)).hasSize(1);
            assertThat(stream.harness.read(Topics.NOTIFICATIONS))
                    .extracting(Notification::getEvent)
                    .doesNotContain("quarantine");
        }
    }

    /** Throws when it applies the report of the job, not later. */
    private static TroubledStream cursedJob(String id, Supplier<? extends Throwable> failure) {
        return new TroubledStream(
                ClockMode.RM, (kind, object) -> kind == QuarantineKind.JOB && object.equals(id), failure);
    }
}
