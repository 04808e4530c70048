package io.weir.scheduler.audit;

import io.weir.scheduler.audit.Divergence.Kind;
import io.weir.scheduler.audit.Divergence.Place;
import io.weir.scheduler.journal.AvroBinary;
import io.weir.scheduler.journal.OutputRecord;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Compares the outputs derived for one cluster with one topic, in step: every record carries its number on the topic.
 *
 * <p>On a topic that deletes, the numbers run without a hole from the first record retained. On a compacted topic a hole
 * is sound when compaction can have made it: some segment can have been closed, the key has a later record, and up to
 * there no key occurs twice, for compaction keeps one record a key in all it has gone over. One thread.
 */
final class OutputVerifier {
    private static final int ENVELOPE_BYTES = 400;

    private final String cluster;
    private final Topic<?> topic;
    private final TopicDemux log;
    private final boolean truncated;
    private final RecordLog.Segments segments;
    private final InputReader decoder;
    private final Map<String, Hole> holes = new LinkedHashMap<>();
    private final Set<String> keys = new TreeSet<>();
    private final Set<Integer> schemaIds = new TreeSet<>();
    private long firstRepetition = Long.MAX_VALUE;
    private @Nullable Hole firstHole;
    private long bytes;
    private long firstTimestamp = Long.MAX_VALUE;
    private long lastTimestamp;
    private boolean started;

    /** Whether there were outputs whose size and time are not known. */
    private boolean late;

    private long skipped;
    private long compared;

    /** Compares with {@code log}; {@code truncated} says that retention has deleted its first records. */
    OutputVerifier(
            String cluster,
            Topic<?> topic,
            TopicDemux log,
            boolean truncated,
            RecordLog.Segments segments,
            InputReader decoder) {
        this.cluster = cluster;
        this.topic = topic;
        this.log = log;
        this.truncated = truncated;
        this.segments = segments;
        this.decoder = decoder;
    }

    /** Returns how many records were compared. */
    long compared() {
        return compared;
    }

    /** Begins behind the first {@code count} outputs, of which nothing is known. */
    void beginBehind(long count) {
        late = true;
        skipTo(count);
    }

    /** Takes note of an output that is not to be compared. */
    void skip(OutputRecord derived) {
        measure(derived);
    }

    /** Passes over the first {@code count} outputs, which are not to be compared. */
    void skipTo(long count) {
        if (count <= skipped) {
            return;
        }
        skipped = count;
        for (ConsumerRecord<byte[], byte[]> next = log.await(cluster);
                next != null && number(next) <= count;
                next = log.peek(cluster)) {
            started = true;
            log.take(cluster);
            seen(next);
        }
    }

    /** Compares the next output. */
    Optional<Divergence> expect(OutputRecord derived) {
        measure(derived);
        ConsumerRecord<byte[], byte[]> next = log.await(cluster);
        if (next != null && number(next) == derived.number()) {
            started = true;
            log.take(cluster);
            compared++;
            Optional<Divergence> difference = compare(derived, next);
            return difference.isPresent() ? difference : closeHoles(derived.key(), seen(next));
        }
        if (next != null && number(next) < derived.number()) {
            return Optional.of(divergence(
                    Kind.OUTPUT_EXTRA,
                    derived.iteration(),
                    JournalReader.place(next),
                    "number " + derived.number() + " is due here, found " + numberText(next)
                            + "; it was added, changed or moved"));
        }
        if (topic.cleanup() == Topic.Cleanup.COMPACT) {
            Hole hole = new Hole(derived, next == null ? Long.MAX_VALUE : next.offset());
            holes.put(derived.key(), hole);
            firstHole = firstHole == null ? hole : firstHole;
            return Optional.empty();
        }
        return !started && truncated && next != null
                ? Optional.empty()
                : Optional.of(missing(derived, next == null ? -1 : next.offset()));
    }

    /** Says which record of {@code iteration} is next though all of its outputs have been derived. */
    Optional<Divergence> leftOver(long iteration) {
        ConsumerRecord<byte[], byte[]> next = log.peek(cluster);
        return next == null || FactHeaders.ITERATION.get(next.headers()).orElse(0) != iteration
                ? Optional.empty()
                : Optional.of(divergence(
                        Kind.OUTPUT_EXTRA,
                        iteration,
                        JournalReader.place(next),
                        "output " + numberText(next) + " of " + topic.name() + " is not derived at all"));
    }

    /** Says what is wrong when every output has been derived. */
    Optional<Divergence> finish(long lastIteration) {
        if (firstHole != null && !isCompactable()) {
            return Optional.of(missing(firstHole));
        }
        for (Hole hole : holes.values()) {
            if (!isForgotten(hole)) {
                return Optional.of(missing(hole));
            }
        }
        ConsumerRecord<byte[], byte[]> next = log.peek(cluster);
        return next == null || !log.isSettled(next)
                ? Optional.empty()
                : Optional.of(divergence(
                        Kind.OUTPUT_EXTRA,
                        lastIteration + 1,
                        JournalReader.place(next),
                        "number " + numberText(next)
                                + " does not follow from the journal: it was added, or its iteration is gone"));
    }

    private Optional<Divergence> compare(OutputRecord derived, ConsumerRecord<byte[], byte[]> found) {
        List<FieldDifference> fields = new ArrayList<>();
        if (!Arrays.equals(found.key(), derived.keyBytes())) {
            fields.addAll(FieldDifference.of("key", FieldDifference.text(found.key()), derived.key()));
        }
        fields.addAll(FieldDifference.of("timestamp", found.timestamp(), derived.timestamp()));
        fields.addAll(FieldDifference.headers(found.headers(), derived.headers()));
        if (!Arrays.equals(AvroBinary.payload(found.value()), derived.payload())) {
            fields.addAll(values(derived, found));
        } else if (found.value() != null && isNewSchema(found.value())) {
            fields.addAll(schema(found));
        }
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(new Divergence(
                        Kind.OUTPUT_RECORD,
                        cluster,
                        derived.iteration(),
                        JournalReader.place(found),
                        "output " + derived.number() + " of " + topic.name() + " is not what the core derives",
                        fields));
    }

    private List<FieldDifference> values(OutputRecord derived, ConsumerRecord<byte[], byte[]> found) {
        SpecificRecord expected = derived.value();
        try {
            if (expected != null && found.value() != null) {
                List<FieldDifference> fields = FieldDifference.between(decoder.read(topic, found.value()), expected);
                if (!fields.isEmpty()) {
                    return fields;
                }
                Optional<SchemaDifference> schema = decoder.schemaDifference(topic, found.value());
                if (schema.isPresent()) {
                    return List.of(schema.get().toField());
                }
            }
        } catch (IOException e) {
            return List.of(new FieldDifference("value", "unreadable: " + e.getMessage(), String.valueOf(expected)));
        }
        return List.of(new FieldDifference("value", FieldDifference.text(found.value()), String.valueOf(expected)));
    }

    private boolean isNewSchema(byte[] value) {
        return value.length >= 5
                && schemaIds.add(java.nio.ByteBuffer.wrap(value).getInt(1));
    }

    private List<FieldDifference> schema(ConsumerRecord<byte[], byte[]> found) {
        try {
            decoder.read(topic, found.value());
            return List.of();
        } catch (IOException e) {
            return List.of(new FieldDifference(
                    "schema", String.valueOf(e.getMessage()), topic.schema().getFullName()));
        }
    }

    private ConsumerRecord<byte[], byte[]> seen(ConsumerRecord<byte[], byte[]> record) {
        if (topic.cleanup() == Topic.Cleanup.COMPACT && !keys.add(FieldDifference.text(record.key()))) {
            firstRepetition = Math.min(firstRepetition, record.offset());
        }
        return record;
    }

    private Optional<Divergence> closeHoles(String key, ConsumerRecord<byte[], byte[]> later) {
        @Nullable Hole hole = holes.remove(key);
        return hole == null || later.offset() < firstRepetition || isForgotten(hole)
                ? Optional.empty()
                : Optional.of(missing(hole));
    }

    /**
     * Says whether compaction has removed a tombstone and needs nothing in its place. It lay before the record that is there
     * instead, so that may be the first behind compaction.
     */
    private boolean isForgotten(Hole hole) {
        return hole.derived().value() == null && firstRepetition >= hole.next();
    }

    /** Takes the size of an output into account, generously, and the time between the first and the last. */
    private void measure(OutputRecord derived) {
        byte[] payload = derived.payload();
        bytes += ENVELOPE_BYTES + 2L * (derived.key().length() + (payload == null ? 0 : payload.length));
        firstTimestamp = Math.min(firstTimestamp, derived.timestamp());
        lastTimestamp = Math.max(lastTimestamp, derived.timestamp());
    }

    /** Says whether the broker can have closed a segment, and so can have compacted anything. */
    private boolean isCompactable() {
        return late || log.isSegmentClosed(segments, firstTimestamp, lastTimestamp, bytes);
    }

    private Divergence missing(Hole hole) {
        return missing(hole.derived(), hole.next() == Long.MAX_VALUE ? -1 : hole.next());
    }

    private Divergence missing(OutputRecord derived, long next) {
        return divergence(
                Kind.OUTPUT_MISSING,
                derived.iteration(),
                new Place(log.partition().topic(), log.partition().partition(), next, derived.key()),
                "output " + derived.number() + " of " + topic.name() + " is missing"
                        + (next < 0 ? " at the end" : "; offset " + next + " holds a later one"));
    }

    private Divergence divergence(Kind kind, long iteration, Place place, String message) {
        return new Divergence(kind, cluster, iteration, place, message, List.of());
    }

    private static long number(ConsumerRecord<byte[], byte[]> record) {
        return FactHeaders.OUTPUT.get(record.headers()).orElse(0);
    }

    private static String numberText(ConsumerRecord<byte[], byte[]> record) {
        return number(record) == 0 ? "a record without number" : Long.toString(number(record));
    }

    /**
     * An output that is not on the topic.
     *
     * @param next offset of the record found in its place
     */
    private record Hole(OutputRecord derived, long next) {}
}
