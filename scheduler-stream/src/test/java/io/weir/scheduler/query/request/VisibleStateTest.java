package io.weir.scheduler.query.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topics.ClusterPartitioner;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class VisibleStateTest {
    private static final TopicNames NAMES = new TopicNames("t.");
    private static final int PARTITIONS = 8;
    private static final TopicPartition RESERVATIONS =
            new TopicPartition(NAMES.full(Topics.RESERVATIONS), ClusterPartitioner.partition("kth", PARTITIONS));

    private final Set<TopicPartition> asked = new HashSet<>();

    /** How far the reservations can be read, look by look; the last one stays. */
    private final Deque<Long> stable = new ArrayDeque<>();

    private boolean away;
    private int pauses;
    private long nanos;

    @Test
    void shouldWaitUntilTheTransactionIsMarkedOnAllStateTopics() throws InterruptedException {
        stable.addAll(List.of(7L, 7L, 12L));

        await();

        assertThat(pauses).isEqualTo(2);
        assertThat(asked).contains(RESERVATIONS).hasSize((int) Topics.all().stream()
                .filter(topic -> topic.role() == Topic.Role.STATE)
                .count());
    }

    @Test
    void shouldNotWaitWhereAllCanBeRead() throws InterruptedException {
        stable.add(12L);

        await();

        assertThat(pauses).isZero();
    }

    /** Its writer died in the middle: the broker ends it after a minute. */
    @Test
    void shouldNotWaitForATransactionThatStaysOpen() throws InterruptedException {
        stable.add(7L);

        await();

        assertThat(Duration.ofNanos(nanos)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void shouldHandOutTheAnswerThoughTheBrokerDoesNotSay() throws InterruptedException {
        away = true;

        await();

        assertThat(pauses).isZero();
    }

    private void await() throws InterruptedException {
        try (VisibleState state = new VisibleState(admin(), new Threads(), NAMES)) {
            state.await("kth", topic -> PARTITIONS);
        }
    }

    private Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("listOffsets")) {
                        return null;
                    }
                    Collection<?> partitions = ((Map<?, ?>) arguments[0]).keySet();
                    return ends(partitions, ((ListOffsetsOptions) arguments[1]).isolationLevel());
                });
    }

    private ListOffsetsResult ends(Collection<?> partitions, IsolationLevel isolation) {
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> ends = new HashMap<>();
        for (Object each : partitions) {
            TopicPartition partition = (TopicPartition) each;
            asked.add(partition);
            KafkaFutureImpl<ListOffsetsResultInfo> end = new KafkaFutureImpl<>();
            if (away) {
                end.completeExceptionally(new TimeoutException("The broker is away"));
            } else {
                end.complete(new ListOffsetsResultInfo(end(partition, isolation), -1, Optional.empty()));
            }
            ends.put(partition, end);
        }
        return new ListOffsetsResult(ends);
    }

    private long end(TopicPartition partition, IsolationLevel isolation) {
        if (!partition.equals(RESERVATIONS) || isolation == IsolationLevel.READ_UNCOMMITTED) {
            return 12;
        }
        return stable.size() > 1 ? stable.remove() : stable.element();
    }

    private final class Threads implements RequestClientThreads {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pause(Duration duration) {
            pauses++;
            nanos += duration.toNanos();
        }

        @Override
        public void start(String name, Runnable body) {
            throw new AssertionError("Nothing runs beside");
        }

        @Override
        public <T> T await(CompletableFuture<T> awaited, Duration patience) {
            throw new AssertionError("Nothing else is awaited");
        }
    }
}
