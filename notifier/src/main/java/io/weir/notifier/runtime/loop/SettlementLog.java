package io.weir.notifier.runtime.loop;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes results and the positions they belong to, both or neither: one transaction per call. After a failure it opens a
 * new producer of the same transactional id, which ends whatever the old one left open. Owned by the thread of its loop.
 */
public final class SettlementLog implements AutoCloseable {

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private @Nullable Producer<byte[], byte[]> producer;

    public SettlementLog(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /**
     * Writes {@code records} and commits {@code offsets} for {@code group}. When it throws, the outcome is unknown until
     * the next call, which settles it; the group's committed position then tells.
     *
     * @throws KafkaException when it could not be done; worth another try unless this process was replaced by another
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the commit fails when a send did
    void write(
            List<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) {
        Producer<byte[], byte[]> open = openProducer();
        try {
            open.beginTransaction();
            records.forEach(open::send);
            open.sendOffsetsToTransaction(offsets, group);
            open.commitTransaction();
        } catch (KafkaException e) {
            abandon(open);
            throw e;
        }
    }

    /** Ends what an earlier failed call, or a killed process, left open: the group's committed positions are final then. */
    void settle() {
        openProducer();
    }

    /**
     * Makes the next call open a new producer. One whose login was refused may send nothing for half a minute after the
     * brokers take it again: its thread waits for a connection that nobody opens.
     */
    void renew() {
        if (producer != null) {
            abandon(producer);
        }
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(CLOSE_WITHIN);
            producer = null;
        }
    }

    private Producer<byte[], byte[]> openProducer() {
        if (producer != null) {
            return producer;
        }
        Producer<byte[], byte[]> fresh = producers.get();
        try {
            fresh.initTransactions();
        } catch (KafkaException e) {
            abandon(fresh);
            throw e;
        }
        producer = fresh;
        return fresh;
    }

    private void abandon(Producer<byte[], byte[]> broken) {
        producer = null;
        broken.close(Duration.ZERO);
    }
}
