package io.weir.standalone.bench;

import io.weir.standalone.Connection;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** How many metrics the reduction has taken in, by the positions it committed. */
public final class ReductionProgress implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Admin admin;
    private final TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);

    /** Connects. */
    public ReductionProgress(Connection connection) {
        admin = Admin.create(connection.kafka());
    }

    /** Returns the sum of the positions on {@code monitoring.metrics}. */
    public long taken() {
        try {
            Map<TopicPartition, OffsetAndMetadata> positions = admin.listConsumerGroupOffsets(
                            names.prefix() + "reduction")
                    .partitionsToOffsetAndMetadata()
                    .get();
            return positions.entrySet().stream()
                    .filter(each -> each.getKey().topic().equals(names.full(Topics.MONITORING_METRICS)))
                    .mapToLong(each -> each.getValue().offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot read the positions of the reduction", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Waits until {@code metrics} are taken in; returns whether they were within {@code limit}. */
    public boolean await(long metrics, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (taken() < metrics) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    @Override
    public void close() {
        admin.close();
    }
}
