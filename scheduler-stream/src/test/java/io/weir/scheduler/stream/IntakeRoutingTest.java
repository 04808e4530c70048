package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.HeartbeatKind;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a record goes, by its key, its headers and its size. */
@NullUnmarked
class IntakeRoutingTest {
    private static final byte[] KEY = "alpha/x".getBytes(StandardCharsets.UTF_8);

    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldRefuseAnEmptyKeyAsItDoesNone() {
        deliver(new byte[0], new byte[] {1}, 1);
        deliver(null, new byte[] {1}, 1);

        assertThat(harness.causes()).containsExactly("BAD_KEY", "BAD_KEY");
        assertThat(last().getMessage()).isEqualTo("No key; it has to be cluster/entity");
    }

    @Test
    void shouldNameTheClustersThatAreScheduledHere() {
        deliver("gamma/x".getBytes(StandardCharsets.UTF_8), new byte[] {1}, 1);

        assertThat(last().getMessage())
                .isEqualTo("Cluster 'gamma' is not scheduled here; the clusters are [alpha, beta]");
    }

    @Test
    void shouldTakeARecordOfTheLargestSizeThatIsAllowed() {
        int most = RecordSize.mostInput(Topics.RM_JOBS);
        deliver(KEY, new byte[most - KEY.length], 1);
        deliver(KEY, new byte[most - KEY.length + 1], 1);

        assertThat(harness.causes()).containsExactly("UNDECODABLE", "TOO_LARGE");
    }

    @Test
    void shouldTakeTimestampsFromTheFirstMillisecondOn() {
        deliver(KEY, new byte[] {1}, 0);
        deliver(KEY, new byte[] {1}, 1);

        assertThat(harness.causes()).containsExactly("BAD_TIMESTAMP", "UNDECODABLE");
    }

    @Test
    void shouldTakeAnEmptyNameForNoConnector() {
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.CONNECTOR.put(headers, "");
        harness.deliver(harness.write(
                Topics.RM_JOBS, "alpha/j1", connector.jobReport(1, 1).build(), headers));

        assertThat(harness.causes()).containsExactly("NO_CONNECTOR");
    }

    /** Reports may come from anywhere where that is configured; only a connector has heartbeats. */
    @Test
    void shouldRefuseAHeartbeatWithoutAConnectorEvenWhereForeignReportsAreTaken() {
        try (StreamHarness open = new StreamHarness(StreamHarness.settings(ClockMode.RM, true))) {
            open.deliver(open.write(
                    Topics.RM_HEARTBEATS,
                    "alpha/sim",
                    new FakeConnector(open).beat(HeartbeatKind.HELLO, 0, false),
                    StreamHarness.noHeaders()));

            assertThat(open.causes()).containsExactly("NO_CONNECTOR");
        }
    }

    @Test
    void shouldSayWhichClusterIsMeantWhereKeyAndRecordDiffer() {
        ConsumerRecord<byte[], byte[]> hello = new FakeConnector(harness, "beta").hello();
        harness.deliver(harness.write(Topics.RM_HEARTBEATS, KEY, hello.value(), hello.timestamp(), hello.headers()));

        assertThat(last().getMessage())
                .isEqualTo("Cluster 'beta' in the record, 'alpha' in the key; both have to be the record's own");
    }

    @Test
    void shouldShowHowManyInputsWait() {
        ConsumerRecord<byte[], byte[]> hello = connector.hello();
        ConsumerRecord<byte[], byte[]> node = connector.node("n1", 4);
        harness.read(hello);
        harness.read(node);
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.meter("weir.inputs.waiting")).isEqualTo(2);

        harness.deliver(hello);
        harness.deliver(node);
        harness.advance(Duration.ofSeconds(1));

        assertThat(harness.meter("weir.inputs.waiting")).isZero();
    }

    @Test
    void shouldSettleAHeartbeatOfEveryClusterOfThePartition() {
        FakeConnector beta = new FakeConnector(harness, "beta");
        ConsumerRecord<byte[], byte[]> report =
                harness.write(Topics.RM_JOBS, "beta/j1", beta.jobReport(1, 1).build(), headers(beta, 1));
        harness.deliver(report);
        assertThat(harness.causes()).isEmpty();

        harness.deliver(connector.hello());
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes())
                .as("offset 1 of the heartbeats is no HELLO of beta's")
                .containsExactly("UNKNOWN_EPOCH");
    }

    private static RecordHeaders headers(FakeConnector connector, long epoch) {
        RecordHeaders headers = new RecordHeaders(connector.headers(1).toArray());
        FactHeaders.EPOCH.put(headers, epoch);
        return headers;
    }

    private void deliver(byte[] key, byte[] value, long timestamp) {
        harness.deliver(harness.write(Topics.RM_JOBS, key, value, timestamp, StreamHarness.noHeaders()));
    }

    private DeadLetter last() {
        List<DeadLetter> letters = harness.read(Topics.DEAD_LETTERS);
        return letters.get(letters.size() - 1);
    }
}
