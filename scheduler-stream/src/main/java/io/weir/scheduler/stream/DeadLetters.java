package io.weir.scheduler.stream;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.RecordSink;
import io.weir.scheduler.stream.store.Stores;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import io.weir.topics.AvroCodec;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.Topics;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what cannot be used to the dead letters, with origin and cause, in the transaction that passes over it. Owned
 * by one task.
 */
final class DeadLetters {
    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
    private static final DeadLetterForm FORM = new DeadLetterForm("scheduler");
    private static final Bound.Prose MESSAGE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final AvroCodec codec;
    private final RecordSink sink;
    private final LongSupplier clock;
    private final StreamMetrics metrics;

    /**
     * Creates the writer.
     *
     * @param clock milliseconds since 1970
     */
    DeadLetters(AvroCodec codec, RecordSink sink, LongSupplier clock, StreamMetrics metrics) {
        this.codec = codec;
        this.sink = sink;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Writes one.
     *
     * @param cluster the cluster it belongs to; empty when unknown
     */
    void write(Input input, String cluster, Cause cause, String message) {
        write(input, cluster, cause.name(), message);
    }

    /** Writes one for a cause the core has named. */
    void write(Input input, String cluster, String cause, String message) {
        String shown = MESSAGE.cut(message);
        DeadLetter letter = FORM.of(
                new DeadLetterForm.Origin(input.topic(), input.partition(), input.offset(), input.timestamp()),
                input.key(),
                input.value(),
                input.headers(),
                cause,
                shown);
        sink.send(
                Topics.DEAD_LETTERS,
                Stores.keyBytes(cluster),
                codec.encode(Topics.DEAD_LETTERS, letter),
                clock.getAsLong(),
                new RecordHeaders());
        metrics.deadLetter(cause);
        log.warn("Dead letter: input={} cause={} {}", input, cause, shown);
    }

    /** Why intake could not use a record; the core has causes of its own. */
    enum Cause {
        /** The value is no record of the topic. */
        UNDECODABLE,
        /** Key, value and headers have more bytes than a record of the topic may. */
        TOO_LARGE,
        /** It would have to wait, and too many others do. */
        NO_ROOM,
        /** The timestamp is not after 1970, or not before 2100. */
        BAD_TIMESTAMP,
        /** There is no key, or it names no cluster. */
        BAD_KEY,
        /** The key's cluster, the record's cluster, this installation's clusters and the partition do not agree. */
        MISROUTED,
        /** The headers of a connector are missing in part, unreadable, or contradict the record. */
        BAD_HEADERS,
        /** A report without a connector's headers, and foreign reports are not configured. */
        NO_CONNECTOR,
        /** The epoch was never opened by a HELLO. */
        UNKNOWN_EPOCH,
        /** A heartbeat counts facts that were lost; a full poll was asked for. */
        INCOMPLETE,
        /** The state of its cluster could not be restored; it can be sent again once a build runs that can. */
        NOT_RESTORED,
        /** The scheduler failed on it twice; it can be sent again to a build that does not. */
        QUARANTINED
    }
}
