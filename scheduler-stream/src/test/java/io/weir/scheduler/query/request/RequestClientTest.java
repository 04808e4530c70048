package io.weir.scheduler.query.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.service.BrokerTrouble;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class RequestClientTest {
    private static final TopicNames NAMES = new TopicNames("t.");
    private static final EntityKey ANY = new EntityKey("kth", "ann:1");

    private final List<MockConsumer<byte[], byte[]>> opened = new ArrayList<>();
    private final List<Runnable> readers = new ArrayList<>();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

    /** An error of memory, say, ends a thread; the requests that follow must not wait for it until the service is restarted. */
    @Test
    void shouldReadAnswersAgainAfterItsReaderHasDied() {
        AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://answers"));
        try (RequestClient client = new RequestClient(new Clients(), new Threads(), NAMES, codec)) {
            client.answer(ANY);
            client.answer(ANY);
            assertThat(opened).hasSize(1);
            opened.get(0).schedulePollTask(() -> {
                throw new OutOfMemoryError("for a test");
            });
            try {
                readers.get(0).run();
            } catch (OutOfMemoryError e) {
                assertThat(e).hasMessage("for a test");
            }

            client.answer(ANY);

            assertThat(opened).hasSize(2);
            assertThat(opened.get(0).closed()).isTrue();
            assertThat(opened.get(1).closed()).isFalse();
            assertThat(readers).hasSize(2);
            opened.get(1).wakeup();
            readers.get(1).run();
        } finally {
            codec.close();
        }
    }

    /** The answers to a cluster's requests may go to one of them now. */
    @Test
    void shouldReadPartitionsThatAreAdded() {
        AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://answers"));
        String topic = NAMES.full(Topics.REQUEST_RESULTS);
        TopicPartition added = new TopicPartition(topic, 1);
        try (RequestClient client = new RequestClient(new Clients(), new Threads(), NAMES, codec)) {
            client.answer(ANY);
            MockConsumer<byte[], byte[]> consumer = opened.get(0);
            consumer.updatePartitions(
                    topic,
                    List.of(
                            new PartitionInfo(topic, 0, Node.noNode(), null, null),
                            new PartitionInfo(topic, 1, Node.noNode(), null, null)));
            consumer.updateBeginningOffsets(Map.of(added, 0L));
            List<TopicPartition> read = new ArrayList<>();
            consumer.schedulePollTask(() -> {
                read.addAll(consumer.assignment());
                consumer.wakeup();
            });

            readers.get(0).run();

            assertThat(read).containsExactlyInAnyOrder(new TopicPartition(topic, 0), added);
        } finally {
            codec.close();
        }
    }

    /** As where the account of the API lost that right: what is asked for could take effect, and nobody would hear of it. */
    @Test
    void shouldWriteNoRequestWhileNobodyMayReadTheAnswers() {
        AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://answers"));
        try (RequestClient client = new RequestClient(new Clients(), new Threads(), NAMES, codec)) {
            client.answer(ANY);
            MockConsumer<byte[], byte[]> consumer = opened.get(0);
            List<Throwable> refusals = new ArrayList<>();
            Runnable ask =
                    () -> refusals.add(catchThrowable(() -> client.ask(List.of(asked("ann:1", 1)), Duration.ZERO)));
            consumer.schedulePollTask(() -> consumer.setPollException(
                    new TopicAuthorizationException(Set.of(NAMES.full(Topics.REQUEST_RESULTS)))));
            consumer.schedulePollTask(ask);
            consumer.schedulePollTask(() -> {
                assertThat(producer.history()).isEmpty();
                ask.run();
                consumer.wakeup();
            });

            readers.get(0).run();

            assertThat(refusals).hasSize(2).last().isNull();
            assertThat(BrokerTrouble.remedy(refusals.get(0)))
                    .hasValueSatisfying(
                            words -> assertThat(words).contains("lacks a right on topic t.request-results"));
            assertThat(producer.history()).hasSize(1);
        } finally {
            codec.close();
        }
    }

    @Test
    void shouldWriteRequestsThatComeTogetherInTheirOrderAndOnce() throws InterruptedException {
        AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://answers"));
        try (RequestClient client = new RequestClient(new Clients(), new Threads(), NAMES, codec)) {
            List<RequestClient.Asked> all = IntStream.rangeClosed(1, 50)
                    .mapToObj(number -> asked("ann:" + number, number))
                    .toList();

            assertThat(client.ask(all, Duration.ZERO)).hasSize(50).containsOnly(Optional.empty());
            assertThat(client.ask(all, Duration.ZERO)).hasSize(50).containsOnly(Optional.empty());

            assertThat(producer.history())
                    .extracting(record -> EntityKey.parse(record.key()).entity())
                    .isEqualTo(all.stream()
                            .map(asked -> asked.request().getRequestId())
                            .toList());
        } finally {
            codec.close();
        }
    }

    @Test
    void shouldWriteNoneOfThemWhereOneHasTheIdOfAnotherRequest() throws InterruptedException {
        AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://answers"));
        try (RequestClient client = new RequestClient(new Clients(), new Threads(), NAMES, codec)) {
            client.ask(List.of(asked("ann:2", 2)), Duration.ZERO);

            assertThatThrownBy(() -> client.ask(List.of(asked("ann:1", 1), asked("ann:2", 3)), Duration.ZERO))
                    .hasMessageContaining("requestId was used for another request");
            assertThat(producer.history()).hasSize(1);

            client.ask(List.of(asked("ann:1", 1)), Duration.ZERO);
            assertThat(producer.history()).hasSize(2);
        } finally {
            codec.close();
        }
    }

    private static RequestClient.Asked asked(String id, long fingerprint) {
        return new RequestClient.Asked(
                Request.newBuilder()
                        .setCluster("kth")
                        .setRequestId(id)
                        .setPrincipal("ann")
                        .setKind(RequestKind.HOLD_JOB)
                        .setObjectId("7")
                        .setTime(Instant.EPOCH)
                        .setArguments(List.of())
                        .build(),
                fingerprint);
    }

    private final class Clients implements RequestClientConnections {
        @Override
        public Consumer<byte[], byte[]> answers() {
            String topic = NAMES.full(Topics.REQUEST_RESULTS);
            MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, Node.noNode(), null, null)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updateEndOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            opened.add(consumer);
            return consumer;
        }

        @Override
        public Producer<byte[], byte[]> requests() {
            return producer;
        }

        /** State is read by nobody here. */
        @Override
        public Admin admin() {
            return (Admin) Proxy.newProxyInstance(
                    Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> null);
        }
    }

    /** Remembers the readers, and runs them when the test says so. */
    private final class Threads implements RequestClientThreads {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration duration) {
            // Nothing is waited for.
        }

        @Override
        public void start(String name, Runnable body) {
            readers.add(body);
        }

        @Override
        public <T> T await(CompletableFuture<T> awaited, Duration patience)
                throws InterruptedException, ExecutionException, TimeoutException {
            return awaited.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
