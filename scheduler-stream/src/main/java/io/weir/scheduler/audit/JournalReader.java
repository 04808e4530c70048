package io.weir.scheduler.audit;

import io.weir.scheduler.audit.Divergence.Place;
import io.weir.scheduler.journal.AvroBinary;
import io.weir.scheduler.journal.JournalEntry;
import io.weir.schemas.Iteration;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One partition of the journal, record by record, taken apart. One thread. */
final class JournalReader implements AutoCloseable {
    private final RecordLog.Reader reader;
    private final InputReader decoder;

    JournalReader(RecordLog log, TopicPartition partition, InputReader decoder) {
        this.reader = log.read(partition);
        this.decoder = decoder;
    }

    /** Returns what comes next; null at the end. */
    @Nullable
    Item next() {
        RecordLog.@Nullable Entry entry = reader.next();
        if (entry == null) {
            return null;
        }
        if (entry instanceof RecordLog.Corrupt corrupt) {
            return new Unreadable(corrupt);
        }
        return item(((RecordLog.Found) entry).value());
    }

    private Item item(ConsumerRecord<byte[], byte[]> record) {
        String cluster =
                record.key() == null ? "" : EntityKey.parse(record.key()).cluster();
        Optional<String> kind = FactHeaders.KIND.get(record.headers());
        if (kind.filter(FactHeaders.KIND_ITERATION::equals).isPresent()) {
            try {
                Iteration iteration = decoder.read(Topics.JOURNAL, record.value());
                return new Closed(cluster, place(record), iteration, record);
            } catch (IOException e) {
                return new Malformed(cluster, place(record), "no iteration can be read from it: " + e.getMessage());
            }
        }
        Optional<JournalEntry> entry = JournalEntry.parse(record.headers(), record.key(), record.value());
        return entry.isPresent()
                ? new Applied(cluster, place(record), entry.get(), record)
                : new Malformed(cluster, place(record), "its headers are neither an input's nor an iteration's");
    }

    static Place place(ConsumerRecord<byte[], byte[]> record) {
        return new Place(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key() == null ? null : FieldDifference.text(record.key()));
    }

    @Override
    public void close() {
        reader.close();
    }

    /** What a journal holds. */
    sealed interface Item {
        /** Returns the cluster it is of, as its key says; empty when it cannot be told. */
        String cluster();

        /** Says whether the journal of a cluster can begin with it: otherwise something came before. */
        default boolean canBegin() {
            return true;
        }
    }

    /**
     * An input.
     *
     * @param entry the input at its place
     * @param record the journal's record of it
     */
    record Applied(String cluster, Place place, JournalEntry entry, ConsumerRecord<byte[], byte[]> record)
            implements Item {
        @Override
        public boolean canBegin() {
            return entry.sequence() == 1;
        }
    }

    /**
     * An iteration.
     *
     * @param iteration as recorded
     * @param record the journal's record of it
     */
    record Closed(String cluster, Place place, Iteration iteration, ConsumerRecord<byte[], byte[]> record)
            implements Item {
        @Override
        public boolean canBegin() {
            return iteration.getNumber() == 1 && iteration.getLastInput() == 0;
        }

        /** Returns the bytes of the iteration on the topic, without schema id. */
        byte[] payload() {
            return Objects.requireNonNull(AvroBinary.payload(record.value()), "it was decoded");
        }
    }

    /**
     * A record that is neither.
     *
     * @param message why
     */
    record Malformed(String cluster, Place place, String message) implements Item {}

    /**
     * Bytes that cannot be read.
     *
     * @param corrupt where
     */
    record Unreadable(RecordLog.Corrupt corrupt) implements Item {
        @Override
        public String cluster() {
            return "";
        }
    }
}
