package io.weir.scheduler.reduction;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that reads a topic from where its consumer stands until it is closed; what fails is logged and tried again. */
final class TopicFollower implements AutoCloseable {
    /** How long one look at the topic takes at most. */
    static final Duration POLL = Duration.ofMillis(500);

    private static final Logger log = LoggerFactory.getLogger(TopicFollower.class);
    private static final long JOIN_SECONDS = 3;

    private final Consumer<byte[], byte[]> source;
    private final String what;
    private final Predicate<ConsumerRecords<byte[], byte[]>> taking;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean closed;

    /**
     * Begins to read.
     *
     * @param source closed with this object, by its thread
     * @param what what is read, in a message
     * @param taking takes what was read, also nothing; returns whether to pause before the next look
     */
    TopicFollower(Consumer<byte[], byte[]> source, String what, Predicate<ConsumerRecords<byte[], byte[]>> taking) {
        this.source = source;
        this.what = what;
        this.taking = taking;
        Thread thread = new Thread(this::follow, "reduction-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    /** Puts {@code source} at the beginning of all partitions of {@code topic}, and returns these. */
    static List<TopicPartition> assign(Consumer<?, ?> source, String topic) {
        List<TopicPartition> partitions = source.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        source.assign(partitions);
        source.seekToBeginning(partitions);
        return partitions;
    }

    private void follow() {
        try (source) {
            while (!closed) {
                try {
                    if (taking.test(source.poll(POLL))) {
                        TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                    }
                } catch (WakeupException e) {
                    return;
                } catch (RuntimeException e) {
                    log.warn("Cannot read the {}: {}", what, e.toString());
                    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    @Override
    public void close() {
        closed = true;
        source.wakeup();
        try {
            if (!ended.await(JOIN_SECONDS, TimeUnit.SECONDS)) {
                log.warn("Still reading the {} after {} s", what, JOIN_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
