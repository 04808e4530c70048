package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.RecordLog.Segments;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Segments of a partition are closed by the records of all of its clusters. */
class TopicDemuxTest {
    private static final String TOPIC = "weir.reservations";
    private static final Segments SEGMENTS = new Segments(1_000, 10_000);

    private final InMemoryRecordLog log = new InMemoryRecordLog();

    @Test
    void shouldFindASegmentClosedByTheTimeOfANeighboursRecords() {
        write("alpha/1", 5_000, 10);
        write("beta/1", 6_001, 10);

        assertThat(closed(5_000, 5_000, 10)).isTrue();
    }

    @Test
    void shouldFindASegmentClosedByTheSizeOfANeighboursRecords() {
        write("alpha/1", 5_000, 10);
        write("beta/1", 5_000, 10_000);

        assertThat(closed(5_000, 5_000, 10)).isTrue();
    }

    @Test
    void shouldFindNoSegmentClosedByFewRecordsOfAShortTime() {
        write("alpha/1", 5_000, 10);
        write("beta/1", 6_000, 10);

        assertThat(closed(5_000, 5_000, 10)).isFalse();
    }

    @Test
    void shouldCountOwnRecordsThatAreGone() {
        write("alpha/1", 5_000, 10);

        assertThat(closed(3_999, 5_000, 10)).isTrue();
    }

    @Test
    void shouldNotTrustTheTimesLeftWhereFirstRecordsOfASharedPartitionAreGone() {
        write("beta/1", 5_000, 10);
        write("alpha/1", 5_000, 10);
        write("beta/2", 5_000, 10);
        log.records(TOPIC).remove(0);

        assertThat(closed(5_000, 5_000, 10)).isTrue();
    }

    @Test
    void shouldTrustTheTimesOfALoneCluster() {
        write("alpha/1", 5_000, 10);
        write("alpha/2", 5_000, 10);
        log.records(TOPIC).remove(0);

        assertThat(closed(5_000, 5_000, 20)).isFalse();
    }

    @Test
    void shouldFindASegmentClosedByTheEndOfATransactionThatIsDatedLater() {
        write("alpha/1", 5_000, 10);
        log.endTransaction(TOPIC, 6_000);

        assertThat(closed(5_000, 5_000, 10)).isFalse();

        log.endTransaction(TOPIC, 6_001);

        assertThat(closed(5_000, 5_000, 10)).isTrue();
    }

    @Test
    void shouldCountWhatTheEndsOfTransactionsTake() {
        write("alpha/1", 5_000, 10);
        for (int i = 0; i < 100; i++) {
            log.endTransaction(TOPIC, 5_000);
        }

        assertThat(closed(5_000, 5_000, 10)).isTrue();
    }

    private void write(String key, long timestamp, int bytes) {
        log.append(TOPIC, key.getBytes(StandardCharsets.UTF_8), new byte[bytes], timestamp, new RecordHeaders());
    }

    private boolean closed(long first, long last, long bytes) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        RedrivenOutputs none = new RedrivenOutputs(Topics.RESERVATIONS, partition, log, new DeadLetterIndex());
        try (TopicDemux demux = new TopicDemux(partition, log, new ArrayList<>(), none)) {
            return demux.isSegmentClosed(SEGMENTS, first, last, bytes);
        }
    }
}
