package io.weir.scheduler.query.request;

import io.weir.topics.ClusterPartitioner;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets whoever has an answer read what it tells of. The answer and the state are written in one transaction, but the broker
 * marks the end of a transaction on one partition after the other, perhaps on that of the answer first. Thread-safe.
 */
final class VisibleState implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(VisibleState.class);
    private static final Duration PAUSE = Duration.ofMillis(2);

    /** Marks come within milliseconds; what takes this long is another transaction, whose writer has died. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final List<Topic<?>> STATE = Topics.all().stream()
            .filter(topic -> topic.role() == Topic.Role.STATE)
            .toList();

    private final Admin admin;
    private final RequestClientThreads threads;
    private final TopicNames names;

    /** Creates it on {@code admin}, which it closes. */
    VisibleState(Admin admin, RequestClientThreads threads, TopicNames names) {
        this.admin = admin;
        this.threads = threads;
        this.names = names;
    }

    /**
     * Waits until readers of committed records see all that is on the state topics of {@code cluster} by now. Gives up after
     * two seconds, or when the broker does not say: the answer is true all the same.
     *
     * @param partitions says how many partitions a topic has, given its full name; 0 when that is not known
     */
    void await(String cluster, ToIntFunction<String> partitions) throws InterruptedException {
        long deadline = threads.nanos() + PATIENCE.toNanos();
        try {
            Map<TopicPartition, Long> written =
                    ends(partitionsOf(cluster, partitions), IsolationLevel.READ_UNCOMMITTED);
            while (!written.isEmpty()) {
                ends(written.keySet(), IsolationLevel.READ_COMMITTED)
                        .forEach((partition, stable) ->
                                written.computeIfPresent(partition, (same, end) -> stable < end ? end : null));
                if (threads.nanos() > deadline) {
                    log.info("Not all of what was written can be read within {}: {}", PATIENCE, written.keySet());
                    return;
                }
                if (!written.isEmpty()) {
                    threads.pause(PAUSE);
                }
            }
        } catch (ExecutionException | KafkaException | IllegalStateException e) {
            log.info("Cannot see whether all of the state of {} can be read: {}", cluster, e.toString());
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }

    private List<TopicPartition> partitionsOf(String cluster, ToIntFunction<String> partitions) {
        return STATE.stream()
                .map(names::full)
                .filter(topic -> partitions.applyAsInt(topic) > 0)
                .map(topic ->
                        new TopicPartition(topic, ClusterPartitioner.partition(cluster, partitions.applyAsInt(topic))))
                .toList();
    }

    private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions, IsolationLevel isolation)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> questions =
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        ListOffsetsOptions options = new ListOffsetsOptions(isolation).timeoutMs((int) PATIENCE.toMillis());
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                admin.listOffsets(questions, options).all().get().entrySet()) {
            ends.put(end.getKey(), end.getValue().offset());
        }
        return ends;
    }
}
