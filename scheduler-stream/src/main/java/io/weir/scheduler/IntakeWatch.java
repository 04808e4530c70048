package io.weir.scheduler;

import io.weir.service.BrokerQuestions;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether what connectors say is taken in. A broker may hold a client back, as by a quota: its requests are answered
 * late and with little, nothing fails, and the stream waits without a word. Heartbeats come as long as connectors run, and no
 * transaction's end lies among them; so where there are more of them and the group's position stays, the scheduler reads nothing.
 * Only the time counts in which this instance is at work on the partition: to restore a large state may take long, here or at
 * another instance, and that the stream does not run is said elsewhere. {@link #obstacle} may be called from any thread.
 */
final class IntakeWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(IntakeWatch.class);

    /** Longer than a restart or the wait for an instance that is gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String heartbeats;
    private final String group;
    private final Supplier<Set<TopicPartition>> own;
    private final LongSupplier nanos;

    private boolean told;

    /** When it looked last, by the nanosecond clock. */
    private long looked;

    /** What this instance was at work on then. */
    private Set<TopicPartition> worked = Set.of();

    /** Where the group stays by partition; replaced as a whole. */
    private volatile Map<TopicPartition, Stay> stays = Map.of();

    /**
     * A partition on which the group does not go on, although it could.
     *
     * @param offset the group's position
     * @param waiting how many records lie from there on
     * @param nanos for how long it has stayed while this instance was at work on it
     */
    private record Stay(long offset, long waiting, long nanos) {}

    /**
     * Makes a watch that has seen nothing yet.
     *
     * @param heartbeats the topic of heartbeats
     * @param group the scheduler's group
     * @param own returns the partitions that this instance takes in at the moment
     * @param nanos the time, as {@link System#nanoTime}
     */
    IntakeWatch(String heartbeats, String group, Supplier<Set<TopicPartition>> own, LongSupplier nanos) {
        this.heartbeats = heartbeats;
        this.group = group;
        this.own = own;
        this.nanos = nanos;
        this.looked = nanos.getAsLong();
    }

    /** Looks once; what cannot be seen now is left as it was. */
    @Override
    public void ask(Admin admin) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> positions = new HashMap<>();
        for (Map.Entry<TopicPartition, OffsetAndMetadata> each : admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .entrySet()) {
            if (each.getKey().topic().equals(heartbeats) && each.getValue() != null) {
                positions.put(each.getKey(), each.getValue().offset());
            }
        }
        Map<TopicPartition, OffsetSpec> asked =
                positions.keySet().stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        take(positions, ends);
    }

    /** Compares where the group is with where the partitions end. */
    void take(Map<TopicPartition, Long> positions, Map<TopicPartition, Long> ends) {
        long now = nanos.getAsLong();
        long passed = now - looked;
        looked = now;
        Set<TopicPartition> works = own.get();
        Map<TopicPartition, Stay> next = new HashMap<>();
        positions.forEach((partition, offset) -> {
            long waiting = ends.getOrDefault(partition, offset) - offset;
            if (waiting > 0) {
                Stay before = stays.get(partition);
                boolean atWork = worked.contains(partition) && works.contains(partition);
                long stayed = before == null || before.offset() != offset ? 0 : before.nanos() + (atWork ? passed : 0);
                next.put(partition, new Stay(offset, waiting, stayed));
            }
        });
        worked = Set.copyOf(works);
        stays = Map.copyOf(next);
        Optional<String> stuck = obstacle();
        if (stuck.isPresent() && !told) {
            log.error("Not ready: {}", stuck.get());
        } else if (stuck.isEmpty() && told) {
            log.info("Heartbeats are taken in again");
        }
        told = stuck.isPresent();
    }

    /** Returns where nothing has been taken in for too long; empty when nowhere. */
    Optional<String> obstacle() {
        return stays.entrySet().stream()
                .filter(each -> each.getValue().nanos() >= PATIENCE.toNanos())
                .max(Map.Entry.comparingByValue(Comparator.comparingLong(Stay::nanos)))
                .map(each -> "nothing has been taken in for "
                        + Duration.ofNanos(each.getValue().nanos()).toSeconds() + " s, while "
                        + each.getValue().waiting() + " heartbeats wait on " + each.getKey() + " from offset "
                        + each.getValue().offset()
                        + " on: the brokers may hold the scheduler's account back by a quota"
                        + " ('kafka-configs.sh --describe --entity-type users'), or be overloaded");
    }
}
