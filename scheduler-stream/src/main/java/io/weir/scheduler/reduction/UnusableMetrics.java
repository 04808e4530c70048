package io.weir.scheduler.reduction;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import io.weir.topics.AvroCodec;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.Topics;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes metrics that cannot be used to the dead letters, but only so many in a while: a producer that is broken sends
 * thousands a second, all alike. All are counted. One thread.
 */
final class UnusableMetrics {
    /** Most dead letters between two calls of {@link #refill}. */
    static final int MOST = 100;

    private static final Logger log = LoggerFactory.getLogger(UnusableMetrics.class);
    private static final int MOST_BYTES = 1 << 16;
    private static final DeadLetterForm FORM = new DeadLetterForm("reduction", MOST_BYTES);
    private static final Bound.Prose MESSAGE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final AvroCodec codec;
    private final ReductionMetrics metrics;
    private final ProcessorContext<byte[], byte[]> context;
    private int left = MOST;
    private long unwritten;

    UnusableMetrics(AvroCodec codec, ReductionMetrics metrics, ProcessorContext<byte[], byte[]> context) {
        this.codec = codec;
        this.metrics = metrics;
        this.context = context;
    }

    /** Writes one, unless too many were written lately. */
    void write(Record<byte[], byte[]> record, String cause, String message) {
        if (left == 0) {
            unwritten++;
            return;
        }
        left--;
        RecordMetadata origin = context.recordMetadata().orElse(null);
        DeadLetter letter = FORM.of(
                new DeadLetterForm.Origin(
                        Topics.MONITORING_METRICS.name(),
                        origin == null ? -1 : origin.partition(),
                        origin == null ? -1 : origin.offset(),
                        record.timestamp()),
                record.key(),
                record.value(),
                record.headers(),
                cause,
                MESSAGE.cut(message));
        context.forward(
                new Record<>(
                        new byte[0],
                        codec.encode(Topics.DEAD_LETTERS, letter),
                        context.currentSystemTimeMs(),
                        new RecordHeaders()),
                ReductionTopology.LETTERS);
        metrics.letter();
    }

    /** Lets as many be written again, and says how many were not. */
    void refill() {
        left = MOST;
        if (unwritten > 0) {
            log.warn("Metrics that cannot be used: {} more than the {} in the dead letters", unwritten, MOST);
            unwritten = 0;
        }
    }
}
