package io.weir.scheduler.audit;

import io.weir.scheduler.journal.Input;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Tells the outputs in one partition that were sent again out of the dead letters from those that somebody added: a mark
 * among the dead letters names the place of such a record and where it came from, and it is the record from there but for the
 * headers that say so. Where marks are kept for a shorter time than the outputs, the original alone has to do. One thread.
 */
final class RedrivenOutputs {
    private final Topic<?> topic;
    private final TopicPartition partition;
    private final RecordLog log;
    private final DeadLetterIndex deadLetters;

    /** Records read so far that were sent again later, by offset. */
    private final Map<Long, Input> originals = new HashMap<>();

    RedrivenOutputs(Topic<?> topic, TopicPartition partition, RecordLog log, DeadLetterIndex deadLetters) {
        this.topic = topic;
        this.partition = partition;
        this.log = log;
        this.deadLetters = deadLetters;
    }

    /**
     * Says whether {@code record}, the next of its partition, was sent again.
     *
     * @param settled whether it was there when the dead letters were read; later ones are taken at their word
     */
    boolean isOne(ConsumerRecord<byte[], byte[]> record, boolean settled) {
        String place = place(record.offset());
        if (deadLetters.isRedriven(place)) {
            originals.put(record.offset(), input(record));
        }
        Optional<String> from = FactHeaders.REDRIVEN_FROM.get(record.headers());
        if (from.isEmpty() || !settled) {
            return from.isPresent();
        }
        Optional<String> marked = deadLetters.redrivenFrom(place);
        if (marked.isEmpty() && !deadLetters.isTruncated()) {
            return false;
        }
        return from.filter(origin -> marked.isEmpty() || marked.get().equals(origin))
                .flatMap(this::offset)
                .filter(offset -> offset < record.offset())
                .flatMap(this::original)
                .filter(original -> isSame(record, original))
                .isPresent();
    }

    private Optional<Long> offset(String origin) {
        String start = topic.name() + "-" + partition.partition() + "@";
        try {
            return origin.startsWith(start)
                    ? Optional.of(Long.valueOf(origin.substring(start.length())))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns what was at {@code offset}, from the topic or, where it is no longer there, from its dead letter. */
    private Optional<Input> original(long offset) {
        @Nullable Input read = originals.get(offset);
        if (read != null) {
            return Optional.of(read);
        }
        if (offset < log.beginning(partition)) {
            return deadLetters.find(topic.name(), partition.partition(), offset).map(deadLetters::toInput);
        }
        try (RecordLog.Reader reader = log.read(partition, offset)) {
            return reader.next() instanceof RecordLog.Found found
                            && found.value().offset() == offset
                    ? Optional.of(input(found.value()))
                    : Optional.empty();
        }
    }

    private Input input(ConsumerRecord<byte[], byte[]> record) {
        return new Input(
                topic.name(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.headers(),
                record.key(),
                record.value());
    }

    private static boolean isSame(ConsumerRecord<byte[], byte[]> record, Input original) {
        return Arrays.equals(record.key(), original.key())
                && Arrays.equals(record.value(), original.value())
                && (original.timestamp() <= 0 || record.timestamp() == original.timestamp())
                && own(record.headers()).equals(own(original.headers()));
    }

    /** Returns headers without those that sending again adds. */
    private static Headers own(Headers headers) {
        return new RecordHeaders(headers)
                .remove(FactHeaders.REDRIVEN_FROM.name())
                .remove(FactHeaders.CHANNEL.name());
    }

    private String place(long offset) {
        return DeadLetterIndex.place(topic.name(), partition.partition(), offset);
    }
}
