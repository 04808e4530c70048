package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.FiringReader;
import io.weir.notifier.runtime.handler.StopActor;
import io.weir.notifier.runtime.handler.UnusableRecordException;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.schemas.TriggerFiring;
import io.weir.service.BrokerTrouble;
import io.weir.service.Readiness;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all partitions of the firings for those that end others, from the position on from which the others are still to be
 * carried out: so every notifier knows all of them, whichever partitions are its own and however often it began anew. To
 * repeat an order does no harm. Has a thread of its own from {@link #start} to {@link #close}.
 */
final class StopOrders implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StopOrders.class);
    private static final Duration SLICE = Duration.ofMillis(200);
    private static final RetrySchedule TROUBLE =
            new RetrySchedule(Integer.MAX_VALUE, Duration.ofSeconds(1), 2, Duration.ofSeconds(30));
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /** How often it is asked whether there are more partitions. */
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** One for each lane of the actions that may be ended. */
    private final List<Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>>> consumers;

    private final String topic;
    private final FiringReader reader;
    private final Consumer<String> told;
    private final Readiness.Condition readiness;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "stop-orders");

    /** Times in a row that reading failed. */
    private int troubles;

    /**
     * Reads with the first of {@code consumers}, from the earliest position on that any of them knows. Each knows the positions
     * of one of those who carry out what may be ended; at least one.
     *
     * @param told is told the id of each firing that is to end, on the thread of this object
     * @param readiness is told whether the orders can be read
     */
    StopOrders(
            List<Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>>> consumers,
            String topic,
            FiringReader reader,
            Consumer<String> told,
            Readiness.Condition readiness) {
        this.consumers = List.copyOf(consumers);
        this.topic = topic;
        this.reader = reader;
        this.told = told;
        this.readiness = readiness;
    }

    /**
     * Begins to read.
     *
     * @param patience how long to wait for all orders that there are at present; what comes later ends what was begun by then
     * @return whether all of them were read
     */
    boolean start(Duration patience) {
        thread.setDaemon(true);
        thread.start();
        try {
            return caughtUp.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            do {
                try (var consumer = consumers.get(0).get()) {
                    follow(consumer);
                } catch (KafkaException e) {
                    troubles++;
                    String why = BrokerTrouble.describe(e);
                    readiness.unmet(why);
                    log.warn("orders to end programs cannot be read, failure={}; it is tried again: {}", troubles, why);
                }
            } while (!stop.await(TROUBLE.backOff(troubles).toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads until it is to stop, or there are more partitions than at the beginning. */
    private void follow(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> all = partitions(consumer);
        consumer.assign(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        consumer.seekToBeginning(all);
        earliest(consumer, all).forEach(consumer::seek);
        long looked = System.nanoTime();
        while (stop.getCount() > 0) {
            consumer.poll(SLICE).forEach(this::read);
            troubles = 0;
            readiness.met();
            if (caughtUp.getCount() > 0
                    && all.stream().allMatch(each -> consumer.position(each) >= ends.getOrDefault(each, 0L))) {
                caughtUp.countDown();
            }
            if (System.nanoTime() - looked > LOOK.toNanos()) {
                looked = System.nanoTime();
                if (!partitions(consumer).equals(all)) {
                    return;
                }
            }
        }
    }

    /** Returns where the last of the lanes stands; nothing for a partition on which one of them has not begun. */
    private Map<TopicPartition, Long> earliest(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> first, Set<TopicPartition> all) {
        Map<TopicPartition, Long> earliest = positions(first, all);
        for (var other : consumers.subList(1, consumers.size())) {
            try (var consumer = other.get()) {
                Map<TopicPartition, Long> positions = positions(consumer, all);
                earliest.keySet().retainAll(positions.keySet());
                earliest.replaceAll((partition, offset) -> Math.min(offset, positions.getOrDefault(partition, offset)));
            }
        }
        return earliest;
    }

    private static Map<TopicPartition, Long> positions(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, Set<TopicPartition> all) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        consumer.committed(all).forEach((partition, position) -> {
            if (position != null) {
                positions.put(partition, position.offset());
            }
        });
        return positions;
    }

    private Set<TopicPartition> partitions(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> all = new HashSet<>();
        for (PartitionInfo info : consumer.partitionsFor(topic)) {
            all.add(new TopicPartition(info.topic(), info.partition()));
        }
        return all;
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        try {
            TriggerFiring firing = reader.read(record);
            if (firing.getActionType().equals(StopActor.TYPE)) {
                told.accept(firing.getTarget());
            }
        } catch (UnusableRecordException e) {
            log.debug("passed over at partition={} offset={}", record.partition(), record.offset(), e);
        }
    }
}
