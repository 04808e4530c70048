package io.weir.scheduler.audit;

import io.weir.scheduler.journal.Input;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.RedriveMark;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** The dead letters by the place they came from. Immutable once read. */
final class DeadLetterIndex {
    private final Map<String, DeadLetter> letters = new TreeMap<>();

    /** Places of the records that were sent again, with where each came from. */
    private final Map<String, String> redriven = new HashMap<>();

    private final Set<String> redrivenOrigins = new HashSet<>();

    private boolean truncated;

    /** Reads all of them. */
    static DeadLetterIndex read(RecordLog log, TopicNames names, InputReader decoder, List<RecordLog.Corrupt> corrupt) {
        DeadLetterIndex index = new DeadLetterIndex();
        String topic = names.full(Topics.DEAD_LETTERS);
        for (int partition = 0; partition < log.partitions(topic); partition++) {
            index.truncated |= log.beginning(new TopicPartition(topic, partition)) > 0;
            try (RecordLog.Reader reader = log.read(new TopicPartition(topic, partition))) {
                for (RecordLog.Entry entry = reader.next(); entry != null; entry = reader.next()) {
                    if (entry instanceof RecordLog.Corrupt place) {
                        corrupt.add(place);
                    } else if (entry instanceof RecordLog.Found found) {
                        index.add(decoder, found.value().value());
                    }
                }
            }
        }
        return index;
    }

    private void add(InputReader decoder, byte @Nullable [] value) {
        try {
            DeadLetter letter = decoder.read(Topics.DEAD_LETTERS, value);
            String origin = place(letter.getTopic(), letter.getPartition(), letter.getOffset());
            if (RedriveMark.is(letter)) {
                RedriveMark.sentAs(letter).ifPresent(place -> redriven.put(place, origin));
                redrivenOrigins.add(origin);
            } else {
                letters.put(origin, letter);
            }
        } catch (IOException e) {
            // Whatever it accounted for will be found unaccounted.
        }
    }

    Optional<DeadLetter> find(String topic, int partition, long offset) {
        return Optional.ofNullable(letters.get(place(topic, partition, offset)));
    }

    /** Returns where the record at a place was sent again from, as a mark says; empty when none does. */
    Optional<String> redrivenFrom(String place) {
        return Optional.ofNullable(redriven.get(place));
    }

    /** Says whether what came from {@code place} was sent again. */
    boolean isRedriven(String place) {
        return redrivenOrigins.contains(place);
    }

    /** Says whether retention has deleted letters and marks. */
    boolean isTruncated() {
        return truncated;
    }

    /** Returns the record that {@code letter} holds. */
    Input toInput(DeadLetter letter) {
        RecordHeaders headers = new RecordHeaders();
        for (RecordHeader header : letter.getHeaders()) {
            headers.add(header.getName(), bytes(header.getValue()));
        }
        return new Input(
                letter.getTopic(),
                letter.getPartition(),
                letter.getOffset(),
                letter.getTimestamp(),
                headers,
                bytes(letter.getKey()),
                bytes(letter.getValue()));
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** Names a place; {@code topic} is without prefix. */
    static String place(String topic, int partition, long offset) {
        return topic + "-" + partition + "@" + offset;
    }
}
