package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.waiting.DelayedInputs;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.topics.AvroCodec;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The registry is away for the subject of job reports and there for all others. */
class RegistryOutageTest {
    private static final Duration RETRY = DelayedInputs.PAUSE;

    private final PartialRegistry registry = new PartialRegistry();
    private final AvroCodec writer = registry.codec();
    private final StreamHarness harness = new StreamHarness(
            StreamHarness.settings(ClockMode.RM, false), ClusterScheduler::new, new OutputLimits(), registry.codec());
    private final FakeConnector alpha = new FakeConnector(harness, "alpha");
    private final FakeConnector beta = new FakeConnector(harness, "beta");

    @BeforeEach
    void begin() {
        writer.prepare(SchedulerTopology.inputs());
        for (FakeConnector connector : new FakeConnector[] {alpha, beta}) {
            harness.deliver(connector.hello());
            harness.deliver(connector.node("n1", 4));
            harness.deliver(connector.heartbeat());
        }
        registry.takeAway(Topics.RM_JOBS);
    }

    @AfterEach
    void end() {
        registry.speak();
        harness.close();
        writer.close();
    }

    @Test
    void shouldGoOnWithOtherClustersWhileOneWaits() {
        harness.deliver(job(alpha));
        harness.deliver(alpha.heartbeat());
        harness.deliver(beta.node("n2", 4));
        harness.deliver(beta.heartbeat());

        assertThat(iterations("alpha")).isEqualTo(1);
        assertThat(iterations("beta")).isEqualTo(2);
        assertThat(harness.causes()).isEmpty();
    }

    @Test
    void shouldTakeInWhatWaitedInItsOrderWhenTheRegistryIsBack() {
        harness.deliver(job(alpha));
        harness.deliver(alpha.heartbeat());
        registry.bringBack();
        harness.advance(RETRY);

        assertThat(iterations("alpha")).isEqualTo(2);
        assertThat(harness.read(Topics.JOBS)).extracting(JobStatus::getJobId).contains("j1");
        assertThat(harness.causes()).isEmpty();
        assertThat(harness.meter("weir.facts.parked")).isZero();
    }

    /** As one that is cut off, or overloaded: its client would wait for minutes. */
    @Test
    void shouldGoOnWithOtherClustersWhileTheRegistryDoesNotAnswerForOne() {
        registry.bringBack();
        registry.keepSilent(Topics.RM_JOBS);
        harness.deliver(job(alpha));
        harness.deliver(alpha.heartbeat());
        harness.deliver(beta.node("n2", 4));
        harness.deliver(beta.heartbeat());
        harness.advance(RETRY);

        assertThat(iterations("alpha")).isEqualTo(1);
        assertThat(iterations("beta")).isEqualTo(2);
        registry.speak();
        await().pollInSameThread().until(() -> {
            harness.advance(RETRY);
            return harness.meter("weir.facts.parked") == 0;
        });
        assertThat(iterations("alpha")).isEqualTo(2);
        assertThat(harness.read(Topics.JOBS)).extracting(JobStatus::getJobId).contains("j1");
        assertThat(harness.causes()).isEmpty();
    }

    @Test
    void shouldAskTheRegistryOnceInAPause() {
        harness.deliver(job(alpha));
        harness.deliver(alpha.node("n2", 4));
        harness.deliver(alpha.heartbeat());
        assertThat(registry.refusals()).isEqualTo(1);

        harness.advance(RETRY.minusMillis(1));
        assertThat(registry.refusals()).isEqualTo(1);

        harness.advance(Duration.ofMillis(1));
        assertThat(registry.refusals()).isEqualTo(2);
    }

    @Test
    void shouldAskTheRegistryAgainWhenTheClockIsSetBack() {
        harness.deliver(job(alpha));
        registry.bringBack();
        harness.advance(Duration.ofHours(-1));
        harness.deliver(alpha.heartbeat());
        harness.advance(Duration.ofMillis(1));

        assertThat(iterations("alpha")).isEqualTo(2);
        assertThat(harness.meter("weir.facts.parked")).isZero();
    }

    @Test
    void shouldKeepWhatWaitsOverARestart() {
        harness.deliver(job(alpha));
        harness.deliver(alpha.heartbeat());
        harness.start();
        assertThat(harness.meter("weir.facts.parked")).isEqualTo(2);

        registry.bringBack();
        harness.advance(RETRY);

        assertThat(iterations("alpha")).isEqualTo(2);
        assertThat(harness.read(Topics.JOBS)).extracting(JobStatus::getJobId).contains("j1");
    }

    @Test
    void shouldOpenAnEpochWhoseHelloWaited() {
        harness.deliver(job(alpha));
        harness.deliver(alpha.hello());
        harness.deliver(alpha.node("n2", 8));
        harness.deliver(beta.heartbeat());
        registry.bringBack();
        harness.advance(RETRY);
        harness.deliver(alpha.heartbeat());

        assertThat(harness.causes()).isEmpty();
        assertThat(iterations("alpha")).isEqualTo(2);
    }

    @Test
    void shouldParkAFactThatCameBeforeItsHelloThoughBothWaited() {
        harness.deliver(job(alpha));
        ConsumerRecord<byte[], byte[]> hello = alpha.hello();
        harness.deliver(alpha.node("n2", 8));
        harness.deliver(hello);
        registry.bringBack();
        harness.advance(RETRY);
        harness.deliver(alpha.heartbeat());

        assertThat(harness.causes()).isEmpty();
        assertThat(iterations("alpha")).isEqualTo(2);
    }

    @Test
    void shouldLeaveInputsInTheTopicWhenTooManyWait() {
        harness.deliver(job(alpha));
        ConsumerRecord<byte[], byte[]> further = alpha.node("n2", 4);
        for (int i = 1; i < DelayedInputs.MOST; i++) {
            harness.deliver(harness.write(
                    Topics.RM_NODES, further.key(), further.value(), further.timestamp(), further.headers()));
        }

        assertThatThrownBy(() -> harness.deliver(alpha.heartbeat()))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("alpha");
    }

    /** A job report, whose schema the harness has not read before. */
    private ConsumerRecord<byte[], byte[]> job(FakeConnector connector) {
        byte[] value = writer.encode(Topics.RM_JOBS, connector.jobReport(1, 1).build());
        return harness.write(
                Topics.RM_JOBS,
                "alpha/j1".getBytes(StandardCharsets.UTF_8),
                value,
                harness.now().toEpochMilli(),
                connector.nextHeaders(Topics.RM_JOBS));
    }

    private long iterations(String cluster) {
        return harness.iterations().stream()
                .map(Iteration::getCluster)
                .filter(cluster::equals)
                .count();
    }
}
