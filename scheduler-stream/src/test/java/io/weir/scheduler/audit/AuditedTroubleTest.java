package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.FakeConnector;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A run with every kind of trouble intake knows is as sound as any other: the audit accounts for each record. */
class AuditedTroubleTest {
    private final StreamHarness harness = StreamHarness.rm();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldAccountForLossParkingPoisonAndOldEpochs() {
        FakeConnector connector = new FakeConnector(harness);
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());
        harness.deliver(connector.running(1, 1, "nowhere"));
        harness.deliver(connector.heartbeat());
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        harness.advance(Duration.ofSeconds(11));
        harness.deliver(harness.write(
                Topics.RM_JOBS, key("alpha/j"), new byte[] {1}, 1, connector.nextHeaders(Topics.RM_JOBS)));
        harness.deliver(connector.job(5, 2));
        harness.deliver(connector.heartbeat(true));
        ConsumerRecord<byte[], byte[]> stale = connector.job(6, 1);
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        harness.deliver(connector.hello());
        harness.deliver(stale);
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.job(5, 2));
        harness.deliver(connector.heartbeat());
        harness.deliver(connector.running(7, 1, "later"));
        harness.deliver(connector.job(8, 1));

        AuditReport report = audit();

        assertThat(harness.causes()).containsExactly("UNKNOWN_NODE", "INCOMPLETE", "UNDECODABLE");
        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.clusters().get(0).iterations()).isEqualTo(5);
        assertThat(report.clusters().get(0).unverified()).isEqualTo(2);
    }

    @Test
    void shouldAuditEachClusterOfAPartition() {
        FakeConnector alpha = new FakeConnector(harness);
        FakeConnector beta = new FakeConnector(harness, "beta");
        harness.deliver(alpha.hello());
        harness.deliver(beta.hello());
        harness.deliver(alpha.node("n1", 4));
        harness.deliver(beta.node("n1", 8));
        harness.deliver(beta.job(1, 8));
        harness.deliver(beta.heartbeat());
        harness.deliver(alpha.job(1, 2));
        harness.deliver(alpha.heartbeat());

        AuditReport report = audit();

        assertThat(report.isClean()).isTrue();
        assertThat(report.clusters())
                .extracting(AuditReport.ClusterReport::cluster, AuditReport.ClusterReport::iterations)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("alpha", 1L),
                        org.assertj.core.groups.Tuple.tuple("beta", 1L));
    }

    private AuditReport audit() {
        return new AuditReplayer(
                        harness.log,
                        StreamHarness.NAMES,
                        new InputReader(Optional.of(harness.codec)),
                        1,
                        (cluster, number, share) -> {})
                .verify();
    }

    private static byte[] key(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
