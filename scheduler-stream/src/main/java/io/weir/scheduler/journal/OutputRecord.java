package io.weir.scheduler.journal;

import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One output of an iteration as it goes to its topic. Its number counts the records of the cluster on that topic, so that
 * a hole, a swap or an addition is found and has a place.
 */
public final class OutputRecord {
    private final Topic<?> topic;
    private final long number;
    private final long iteration;
    private final Instant time;
    private final String key;
    private final @Nullable SpecificRecord value;
    private final byte @Nullable [] payload;

    OutputRecord(
            Topic<?> topic,
            long number,
            long iteration,
            Instant time,
            String key,
            @Nullable SpecificRecord value,
            PayloadEncoder encoder) {
        this.topic = topic;
        this.number = number;
        this.iteration = iteration;
        this.time = time;
        this.key = key;
        this.value = value;
        this.payload = value == null ? null : encoder.encode(value);
    }

    /** Returns the topic it goes to. */
    public Topic<?> topic() {
        return topic;
    }

    /** Returns its number on that topic: 1, 2, 3 … per cluster. */
    public long number() {
        return number;
    }

    /** Returns the iteration that put it out. */
    public long iteration() {
        return iteration;
    }

    /** Returns its record timestamp, milliseconds since 1970: the iteration's instant. */
    public long timestamp() {
        return time.toEpochMilli();
    }

    /** Returns its key, {@code cluster/entity}. */
    public String key() {
        return key;
    }

    /** Returns its key as bytes. */
    public byte[] keyBytes() {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns its value; null for a tombstone. */
    public @Nullable SpecificRecord value() {
        return value;
    }

    /** Returns the binary form of its value, without schema id; null for a tombstone. */
    public byte @Nullable [] payload() {
        return payload;
    }

    /** Returns the headers of its record. */
    public Headers headers() {
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.ITERATION.put(headers, iteration);
        FactHeaders.OUTPUT.put(headers, number);
        return headers;
    }
}
