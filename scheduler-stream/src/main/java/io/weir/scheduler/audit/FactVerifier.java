package io.weir.scheduler.audit;

import io.weir.scheduler.audit.Divergence.Kind;
import io.weir.scheduler.audit.Divergence.Place;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.Numbering;
import io.weir.schemas.DeadLetter;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Compares the journal with one partition of a fact topic, as far as it is retained: each journaled input has to be there
 * unchanged, and each record before the last one journaled has to be accounted for. One thread.
 */
final class FactVerifier implements AutoCloseable {
    private final Topic<?> topic;
    private final TopicPartition partition;
    private final RecordLog log;
    private final RecordLog.Reader reader;
    private final long beginning;
    private final List<RecordLog.Corrupt> corrupt;
    private final InputReader decoder;
    private final DeadLetterIndex deadLetters;
    /** Records read and not journaled so far, by offset. */
    private final TreeMap<Long, Candidate> open = new TreeMap<>();
    /** How far the numbers read so far have come, by connector and epoch. */
    private final Map<String, Numbering> sequences = new TreeMap<>();

    private long lastJournaled = -1;
    private long readTo = -1;
    private boolean atEnd;

    FactVerifier(
            Topic<?> topic,
            TopicPartition partition,
            RecordLog log,
            List<RecordLog.Corrupt> corrupt,
            InputReader decoder,
            DeadLetterIndex deadLetters) {
        this.topic = topic;
        this.partition = partition;
        this.log = log;
        this.reader = log.read(partition);
        this.beginning = log.beginning(partition);
        this.corrupt = corrupt;
        this.decoder = decoder;
        this.deadLetters = deadLetters;
    }

    /** Says whether the topic still holds what {@code input} was. */
    boolean isRetained(Input input) {
        return input.offset() >= beginning;
    }

    /** Compares a journaled input with its record. */
    Optional<Divergence> compare(String cluster, long iteration, Input input) {
        lastJournaled = Math.max(lastJournaled, input.offset());
        readTo(input.offset());
        @Nullable Candidate candidate = open.remove(input.offset());
        if (candidate == null) {
            return isCorrupt(input.offset())
                    ? Optional.empty()
                    : Optional.of(new Divergence(
                            Kind.FACT_MISSING,
                            cluster,
                            iteration,
                            place(input.offset(), input.key()),
                            "the journal holds an input from there, the topic no longer does",
                            List.of()));
        }
        List<FieldDifference> fields = differences(candidate.record(), input);
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(new Divergence(
                        Kind.FACT_RECORD,
                        cluster,
                        iteration,
                        place(input.offset(), input.key()),
                        "the record is not the one that was journaled",
                        fields));
    }

    /** Returns how the record at the place of {@code input} differs from it; empty when it does not or is not there. */
    List<FieldDifference> peekDifferences(Input input) {
        readTo(input.offset());
        @Nullable Candidate candidate = open.get(input.offset());
        return candidate == null ? List.of() : invert(differences(candidate.record(), input));
    }

    /** Reads up to {@code offset}; what the journal names was written before it, so the end is looked at again. */
    private void readTo(long offset) {
        for (int look = 0; look < 2 && readTo < offset; look++) {
            if (atEnd) {
                log.refresh(partition);
                atEnd = false;
            }
            while (!atEnd && readTo < offset) {
                read();
            }
        }
    }

    /** Accounts for what was read past; adds what is not consumed yet to {@code tally}. */
    Optional<Divergence> finish(Epochs epochs, Map<String, Long> lastIterations, Tally tally) {
        while (!atEnd) {
            read();
        }
        for (Candidate candidate : open.values()) {
            String cluster = cluster(candidate.record());
            Optional<DeadLetter> letter = deadLetters.find(topic.name(), partition.partition(), candidate.offset());
            if (letter.isPresent()) {
                List<FieldDifference> fields = differences(candidate.record(), letter.get());
                if (!fields.isEmpty()) {
                    return Optional.of(unexpected(
                            Kind.FACT_RECORD,
                            candidate,
                            cluster,
                            lastIterations,
                            "the record is not the one that went to the dead letters",
                            fields));
                }
            } else if (candidate.offset() > lastJournaled || isWaiting(candidate, cluster, epochs)) {
                tally.unverified(cluster);
            } else if (!candidate.repeated() && !isStale(candidate, cluster, epochs)) {
                return Optional.of(unexpected(
                        Kind.FACT_UNACCOUNTED,
                        candidate,
                        cluster,
                        lastIterations,
                        "the record is neither journaled nor a dead letter nor a repetition",
                        List.of()));
            }
        }
        return Optional.empty();
    }

    private Divergence unexpected(
            Kind kind,
            Candidate candidate,
            String cluster,
            Map<String, Long> lastIterations,
            String message,
            List<FieldDifference> fields) {
        return new Divergence(
                kind,
                cluster,
                lastIterations.getOrDefault(cluster, 0L),
                place(candidate.offset(), candidate.record().key()),
                message,
                fields);
    }

    private boolean isStale(Candidate candidate, String cluster, Epochs epochs) {
        return candidate.connector() != null && candidate.epoch() < epochs.epoch(cluster, candidate.connector());
    }

    /** Facts that intake holds or has parked are in its stores only. */
    private boolean isWaiting(Candidate candidate, String cluster, Epochs epochs) {
        String connector = candidate.connector();
        if (connector == null) {
            return topic.equals(Topics.RM_JOBS);
        }
        long inForce = epochs.epoch(cluster, connector);
        if (candidate.epoch() != inForce) {
            return candidate.epoch() > inForce;
        }
        if (topic.equals(Topics.RM_HEARTBEATS)) {
            return candidate.sequence() > epochs.heartbeat(cluster, connector);
        }
        return topic.equals(Topics.RM_JOBS)
                && !candidate.repeated()
                && !epochs.isCounted(cluster, connector, topic.name(), candidate.sequence());
    }

    private void read() {
        RecordLog.@Nullable Entry entry = reader.next();
        if (entry == null) {
            atEnd = true;
        } else if (entry instanceof RecordLog.Corrupt place) {
            corrupt.add(place);
            readTo = place.to() - 1;
        } else if (entry instanceof RecordLog.Found found) {
            readTo = found.value().offset();
            open.put(readTo, candidate(found.value()));
        }
    }

    private Candidate candidate(ConsumerRecord<byte[], byte[]> record) {
        String connector = Facts.isConnectorTopic(topic.name())
                ? FactHeaders.CONNECTOR.get(record.headers()).orElse(null)
                : null;
        long epoch = FactHeaders.EPOCH.get(record.headers()).orElse(record.offset());
        long sequence = FactHeaders.SEQUENCE.get(record.headers()).orElse(0);
        boolean repeated = false;
        if (connector != null && sequence > 0) {
            String key = cluster(record) + "/" + connector + "/" + epoch;
            Numbering before = sequences.getOrDefault(key, Numbering.NONE);
            repeated = sequence <= before.last();
            if (!repeated && before.reaches(sequence, record.offset())) {
                sequences.put(key, new Numbering(sequence, record.offset()));
            }
        }
        return new Candidate(record, connector, epoch, sequence, repeated);
    }

    /** Compares a record with its dead letter; of one that was cut, with what it still has. */
    private List<FieldDifference> differences(ConsumerRecord<byte[], byte[]> found, DeadLetter letter) {
        Input kept = deadLetters.toInput(letter);
        return differences(letter.getTruncated() ? cut(found, kept) : found, kept);
    }

    /** Returns {@code found} with no more of key, value and headers than {@code kept} has. */
    private static ConsumerRecord<byte[], byte[]> cut(ConsumerRecord<byte[], byte[]> found, Input kept) {
        Headers headers = new RecordHeaders();
        int left = kept.headers().toArray().length;
        for (Header header : found.headers()) {
            if (left-- > 0) {
                headers.add(header);
            }
        }
        byte @Nullable [] key = cut(found.key(), kept.key());
        byte @Nullable [] value = cut(found.value(), kept.value());
        return new ConsumerRecord<>(
                found.topic(),
                found.partition(),
                found.offset(),
                found.timestamp(),
                found.timestampType(),
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                headers,
                found.leaderEpoch());
    }

    private static byte @Nullable [] cut(byte @Nullable [] found, byte @Nullable [] kept) {
        return found == null || kept == null || found.length <= kept.length ? found : Arrays.copyOf(found, kept.length);
    }

    private List<FieldDifference> differences(ConsumerRecord<byte[], byte[]> found, Input expected) {
        List<FieldDifference> fields = new ArrayList<>();
        fields.addAll(
                FieldDifference.of("key", FieldDifference.text(found.key()), FieldDifference.text(expected.key())));
        fields.addAll(FieldDifference.of("timestamp", found.timestamp(), expected.timestamp()));
        fields.addAll(FieldDifference.headers(found.headers(), expected.headers()));
        if (!Arrays.equals(found.value(), expected.value())) {
            fields.addAll(values(found.value(), expected.value()));
        }
        return fields;
    }

    private List<FieldDifference> values(byte @Nullable [] found, byte @Nullable [] expected) {
        try {
            SpecificRecord left = decoder.read(topic, found);
            SpecificRecord right = decoder.read(topic, expected);
            List<FieldDifference> fields = FieldDifference.between(left, right);
            if (!fields.isEmpty()) {
                return fields;
            }
        } catch (IOException e) {
            // One of them is no record: the bytes have to do.
        }
        return List.of(new FieldDifference("value", FieldDifference.text(found), FieldDifference.text(expected)));
    }

    /** Turns "topic against journal" into "journal against topic". */
    private static List<FieldDifference> invert(List<FieldDifference> fields) {
        return fields.stream()
                .map(field -> new FieldDifference(field.field(), field.expected(), field.recorded()))
                .toList();
    }

    private boolean isCorrupt(long offset) {
        return corrupt.stream()
                .anyMatch(
                        place -> place.partition().equals(partition) && place.from() <= offset && offset < place.to());
    }

    private Place place(long offset, byte @Nullable [] key) {
        return new Place(
                partition.topic(), partition.partition(), offset, key == null ? null : FieldDifference.text(key));
    }

    private static String cluster(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : EntityKey.parse(record.key()).cluster();
    }

    @Override
    public void close() {
        reader.close();
    }

    private record Candidate(
            ConsumerRecord<byte[], byte[]> record,
            @Nullable String connector,
            long epoch,
            long sequence,
            boolean repeated) {
        long offset() {
            return record.offset();
        }
    }
}
