package io.weir.topics;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The record headers that Weir writes. They travel beside the value, so even a record that cannot be decoded is counted
 * and can be traced. Reading never throws: what is absent or unreadable is empty. The last header of a name counts.
 */
public final class FactHeaders {

    /** Id of the connector that wrote a fact. */
    public static final TextHeader CONNECTOR = new TextHeader("weir-connector");

    /** Epoch of that connector: the offset of the Hello it wrote at start. */
    public static final LongHeader EPOCH = new LongHeader("weir-epoch");

    /** Number of a fact among those its connector wrote to the same topic in the same epoch: 1, 2, 3 … */
    public static final LongHeader SEQUENCE = new LongHeader("weir-seq");

    /** Place a dead letter came from, {@code topic-partition@offset}; on the record that is sent again. */
    public static final TextHeader REDRIVEN_FROM = new TextHeader("weir-redriven-from");

    /** Channel of the notifier that gave a notification up; sent again, the notification goes to that channel alone. */
    public static final TextHeader CHANNEL = new TextHeader("weir-channel");

    /** Number of the iteration that put out a record. */
    public static final LongHeader ITERATION = new LongHeader("weir-iteration");

    /** Number of an output among all its cluster has put on its topic: 1, 2, 3 … */
    public static final LongHeader OUTPUT = new LongHeader("weir-output");

    /** Position of a record in the journal of its cluster: 1, 2, 3 … */
    public static final LongHeader JOURNAL_SEQUENCE = new LongHeader("weir-journal-seq");

    /** What a journal record is: {@link #KIND_INPUT} or {@link #KIND_ITERATION}. */
    public static final TextHeader KIND = new TextHeader("weir-kind");

    /** Topic, name without prefix, from which an input was taken. */
    public static final TextHeader SOURCE_TOPIC = new TextHeader("weir-source-topic");

    /** Partition from which an input was taken. */
    public static final LongHeader SOURCE_PARTITION = new LongHeader("weir-source-partition");

    /** Offset from which an input was taken. */
    public static final LongHeader SOURCE_OFFSET = new LongHeader("weir-source-offset");

    /** Timestamp an input had there, milliseconds since 1970. */
    public static final LongHeader SOURCE_TIMESTAMP = new LongHeader("weir-source-timestamp");

    /** {@link #KIND} of an input that was copied as received. */
    public static final String KIND_INPUT = "input";

    /** {@link #KIND} of an iteration. */
    public static final String KIND_ITERATION = "iteration";

    private FactHeaders() {}

    private static byte @Nullable [] last(Headers headers, String name) {
        @Nullable Header header = headers.lastHeader(name);
        return header == null ? null : header.value();
    }

    /**
     * A header that holds UTF-8 text.
     *
     * @param name header name
     */
    public record TextHeader(String name) {

        /** Reads it from {@code headers}. */
        public Optional<String> get(Headers headers) {
            byte @Nullable [] value = last(headers, name);
            return value == null ? Optional.empty() : Optional.of(new String(value, StandardCharsets.UTF_8));
        }

        /** Sets it in {@code headers}, in place of any other of this name. */
        public void put(Headers headers, String value) {
            headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * A header that holds a whole number in decimal ASCII.
     *
     * @param name header name
     */
    public record LongHeader(String name) {

        private static final int MOST_DIGITS = 20;

        /** Reads it from {@code headers}. */
        public OptionalLong get(Headers headers) {
            byte @Nullable [] value = last(headers, name);
            if (value == null || value.length > MOST_DIGITS) {
                return OptionalLong.empty();
            }
            try {
                return OptionalLong.of(Long.parseLong(new String(value, StandardCharsets.US_ASCII)));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }

        /** Sets it in {@code headers}, in place of any other of this name. */
        public void put(Headers headers, long value) {
            headers.remove(name).add(name, Long.toString(value).getBytes(StandardCharsets.US_ASCII));
        }
    }
}
