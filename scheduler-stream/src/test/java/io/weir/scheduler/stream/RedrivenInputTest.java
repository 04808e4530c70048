package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.InputReader;
import io.weir.schemas.CommandKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.RmCommand;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead letters that come again by {@code weir dead-letters redrive}. */
class RedrivenInputTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);

    @AfterEach
    void close() {
        harness.close();
    }

    /** What the connector has said of the job since must not be undone. */
    @Test
    void shouldAskForEverythingInsteadOfApplyingAnOldReport() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        ConsumerRecord<byte[], byte[]> old = connector.job(1, 1);
        harness.deliver(old);
        harness.deliver(connector.ended(1, 1));
        harness.deliver(connector.heartbeat());
        harness.deliver(again(Topics.RM_JOBS, old));
        harness.deliver(connector.heartbeat());

        List<JobStatus> versions = harness.read(Topics.JOBS);
        assertThat(versions.get(versions.size() - 1).getState()).isEqualTo(JobState.COMPLETED);
        assertThat(harness.read(Topics.COMMANDS)).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);
        assertThat(harness.iterations()).hasSize(2);
        assertClean();
    }

    /** Headers have no bound of their own; what is noted of them has. */
    @Test
    void shouldNoteLittleOfLongHeaders() {
        harness.deliver(connector.hello());
        ConsumerRecord<byte[], byte[]> node = connector.node("n1", 4);
        harness.deliver(node);
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.CONNECTOR.put(headers, "c".repeat(400_000));
        FactHeaders.REDRIVEN_FROM.put(headers, "rm.nodes-0@" + "7".repeat(400_000));
        harness.deliver(harness.write(Topics.RM_NODES, node.key(), node.value(), node.timestamp(), headers));
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(1);
        assertThat(harness.causes()).isEmpty();
        assertThat(harness.log.records(StreamHarness.NAMES.full(Topics.JOURNAL)))
                .allSatisfy(record ->
                        assertThat(record.value().length + record.key().length).isLessThan(10_000));
        assertClean();
    }

    /** The record has its old number; the next fact has to be taken for what it is, and not for a gap. */
    @Test
    void shouldNotConfuseTheNumbersOfTheConnector() {
        harness.deliver(connector.hello());
        ConsumerRecord<byte[], byte[]> node = connector.node("n1", 4);
        harness.deliver(node);
        harness.deliver(again(Topics.RM_NODES, node));
        harness.deliver(connector.node("n2", 4));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).isEmpty();
        assertThat(harness.dropped("duplicate")).isZero();
        assertThat(harness.iterations()).hasSize(1);
        assertClean();
    }

    @Test
    void shouldApplyACommandsResultOfAnEarlierEpoch() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.job(1, 1));
        harness.deliver(connector.heartbeat());
        RmCommand start = harness.read(Topics.COMMANDS).get(0);
        ConsumerRecord<byte[], byte[]> lost = connector.done(start);
        harness.deliver(connector.hello());
        harness.deliver(again(Topics.RESULTS, lost));

        assertThat(harness.causes()).isEmpty();
        assertThat(harness.journaledInputs()).isEqualTo(6);
    }

    @Test
    void shouldTakeAForeignRecordAsIfItCameForTheFirstTime() {
        GenericEvent event =
                new GenericEvent("alpha", "hitemp", "node", "n1", "hot", harness.now(), "test", true, null);
        ConsumerRecord<byte[], byte[]> first =
                harness.write(Topics.MONITORING_EVENTS, "alpha/n1", event, StreamHarness.noHeaders());
        harness.deliver(again(Topics.MONITORING_EVENTS, first));

        assertThat(harness.journaledInputs()).isEqualTo(1);
        assertThat(harness.causes()).isEmpty();
    }

    @Test
    void shouldRefuseAHeartbeat() {
        harness.deliver(connector.hello());
        ConsumerRecord<byte[], byte[]> beat = connector.heartbeat();
        harness.deliver(again(Topics.RM_HEARTBEATS, beat));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS");
        assertThat(harness.iterations()).isEmpty();
    }

    private ConsumerRecord<byte[], byte[]> again(Topic<?> topic, ConsumerRecord<byte[], byte[]> record) {
        RecordHeaders headers = new RecordHeaders(record.headers().toArray());
        FactHeaders.REDRIVEN_FROM.put(headers, topic.name() + "-0@" + record.offset());
        return harness.write(topic, record.key(), record.value(), record.timestamp(), headers);
    }

    private void assertClean() {
        AuditReport report = new AuditReplayer(
                        harness.log,
                        StreamHarness.NAMES,
                        new InputReader(Optional.of(harness.codec)),
                        1,
                        (cluster, number, share) -> {})
                .verify();
        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.isClean()).isTrue();
    }
}
