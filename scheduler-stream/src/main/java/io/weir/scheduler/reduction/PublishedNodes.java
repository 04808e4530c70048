package io.weir.scheduler.reduction;

import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that the scheduler publishes, kept up to date on a thread of its own: those whose metrics mean something. Nothing
 * is unknown before all that was published is read. Thread-safe.
 */
public final class PublishedNodes implements NodeSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PublishedNodes.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long JOIN_SECONDS = 3;

    private final Consumer<byte[], byte[]> source;
    private final List<TopicPartition> partitions;
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean caughtUp;
    private volatile boolean closed;

    /** Begins to read; {@code source} is closed with this object. */
    public PublishedNodes(Consumer<byte[], byte[]> source, TopicNames names) {
        this.source = source;
        partitions = source.partitionsFor(names.full(Topics.NODES)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        source.assign(partitions);
        source.seekToBeginning(partitions);
        Thread thread = new Thread(this::follow, "reduction-nodes");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean isUnknown(String cluster, String nodeId) {
        return caughtUp && !nodes.contains(new EntityKey(cluster, nodeId).toString());
    }

    private void follow() {
        try (source) {
            while (!closed) {
                try {
                    source.poll(POLL).forEach(this::take);
                    caughtUp = caughtUp || atEnd();
                } catch (WakeupException e) {
                    return;
                } catch (RuntimeException e) {
                    log.warn("Cannot read the nodes: {}", e.toString());
                    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private boolean atEnd() {
        return source.endOffsets(partitions).entrySet().stream()
                .allMatch(end -> source.position(end.getKey()) >= end.getValue());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        if (key == null) {
            return;
        }
        String node = EntityKey.parse(key).toString();
        if (record.value() == null) {
            nodes.remove(node);
        } else {
            nodes.add(node);
        }
    }

    @Override
    public void close() {
        closed = true;
        source.wakeup();
        try {
            if (!ended.await(JOIN_SECONDS, TimeUnit.SECONDS)) {
                log.warn("Still reading the nodes after {} s", JOIN_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
