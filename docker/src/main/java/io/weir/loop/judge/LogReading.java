package io.weir.loop.judge;

import io.weir.loop.log.SimulatedLog;
import io.weir.scheduler.audit.RecordLog;
import java.util.Iterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The simulated log as the audit reads it: committed records only. */
public record LogReading(SimulatedLog log) implements RecordLog {
    @Override
    public int partitions(String topic) {
        return log.partitions(topic);
    }

    @Override
    public long beginning(TopicPartition partition) {
        return log.beginning(partition);
    }

    @Override
    public long end(TopicPartition partition) {
        return log.stableEnd(partition);
    }

    /** In the simulated log the ends of transactions have no dates. */
    @Override
    public boolean isDatedSince(TopicPartition partition, long timestamp) {
        return log.committed(partition).stream().anyMatch(record -> record.timestamp() >= timestamp);
    }

    @Override
    public void refresh(TopicPartition partition) {}

    @Override
    public boolean isAtHand() {
        return true;
    }

    @Override
    public Segments segments(String topic) {
        return new Segments(log.segmentMillis(topic), Long.MAX_VALUE);
    }

    @Override
    public Reader read(TopicPartition partition, long offset) {
        Iterator<ConsumerRecord<byte[], byte[]>> records = log.committed(partition).stream()
                .filter(record -> record.offset() >= offset)
                .iterator();
        return new Reader() {
            @Override
            public @Nullable Entry next() {
                return records.hasNext() ? new Found(records.next()) : null;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
