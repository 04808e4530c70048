package io.weir.standalone.bench;

import io.weir.standalone.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** How many records of a topic a consumer group has taken in, by the positions it committed. */
public final class GroupProgress implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Admin admin;
    private final String group;
    private final String topic;

    /** Connects, to look at {@code group} on {@code topic}, whose full name it is. */
    public GroupProgress(Connection connection, String group, String topic) {
        this.admin = Admin.create(connection.kafka());
        this.group = group;
        this.topic = topic;
    }

    /** Returns the sum of the group's positions; 0 before its first commit. */
    public long taken() {
        try {
            Map<TopicPartition, OffsetAndMetadata> positions = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            return positions.entrySet().stream()
                    .filter(each -> each.getKey().topic().equals(topic))
                    .mapToLong(each -> each.getValue().offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot read the positions of " + group, e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Waits until {@code records} are taken in; returns whether they were within {@code limit}. */
    public boolean await(long records, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (taken() < records) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    /**
     * Measures how fast the group takes in records that wait: from its first commit behind {@code from} until {@code to} are
     * taken in, so that the start of the service is not part of it.
     *
     * @throws IllegalStateException when that takes longer than {@code limit}, or all were taken in by the first commit
     */
    public Drain drain(long from, long to, Duration limit) {
        if (!await(from + 1, limit)) {
            throw new IllegalStateException(group + " took in nothing of " + topic + " in " + limit.toSeconds() + " s");
        }
        MachineUse.Meter meter = MachineUse.begin();
        long first = taken();
        if (first >= to) {
            throw new IllegalStateException(
                    group + " took in all " + (to - from) + " records with its first commit: too few to measure");
        }
        if (!await(to, limit)) {
            throw new IllegalStateException(
                    group + " took in " + taken() + " records of " + to + " in " + limit.toSeconds() + " s");
        }
        return new Drain(to - first, meter.read());
    }

    @Override
    public void close() {
        admin.close();
    }
}
