package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
    private static final TopicPartition PARTITION = new TopicPartition("facts", 0);

    @TempDir
    Path directory;

    @Test
    void shouldKeepRecordsOverARestartOnAnotherPort() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0)) {
            try (Admin admin = Admin.create(client(broker))) {
                admin.createTopics(List.of(new NewTopic("facts", Optional.of(1), Optional.empty())))
                        .all()
                        .get();
            }
            // Far in the past and far in the future: virtual time.
            write(broker, 0L, "first");
            write(broker, 4_102_444_800_000L, "second");
        }

        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0)) {
            assertThat(read(broker, 2)).containsExactly("first", "second");
        }
    }

    /** Releases before this one let everybody in. */
    @Test
    void shouldGoOnBehindALoginWithTheRecordsOfAnOlderRelease() throws Exception {
        int[] ports = FreePorts.any(2);
        Map<String, String> open = Map.of(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + ports[0] + ",CONTROLLER://127.0.0.1:" + ports[1],
                "advertised.listeners",
                "PLAINTEXT://127.0.0.1:" + ports[0],
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "inter.broker.listener.name",
                "PLAINTEXT",
                "controller.quorum.voters",
                "1@127.0.0.1:" + ports[1],
                "authorizer.class.name",
                "");
        Map<String, Object> stranger = Map.of("bootstrap.servers", "127.0.0.1:" + ports[0]);
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), ports[0], open);
                Admin admin = Admin.create(stranger);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(stranger, new StringSerializer(), new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic("facts", 1, (short) 1)))
                    .all()
                    .get();
            producer.send(new ProducerRecord<>("facts", "old")).get();
            assertThat(broker.port()).isEqualTo(ports[0]);
        }

        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), ports[0])) {
            assertThat(read(broker, 1)).containsExactly("old");
            try (Admin admin = Admin.create(Map.of(
                    "bootstrap.servers", broker.bootstrapServers(),
                    "default.api.timeout.ms", 3_000,
                    "request.timeout.ms", 2_000))) {
                assertThatThrownBy(() -> admin.listTopics().names().get()).isInstanceOf(ExecutionException.class);
            }
        }
    }

    @Test
    void shouldCommitTransactions() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0);
                Admin admin = Admin.create(client(broker));
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        client(broker, Map.of("transactional.id", "writer")),
                        new StringSerializer(),
                        new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic("facts", 1, (short) 1)))
                    .all()
                    .get();
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("facts", "aborted"));
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("facts", "committed"));
            producer.commitTransaction();

            assertThat(read(broker, 1)).containsExactly("committed");
            assertThat(admin.describeFeatures()
                            .featureMetadata()
                            .get()
                            .finalizedFeatures()
                            .get("transaction.version")
                            .maxVersionLevel())
                    .isEqualTo((short) 2);
        }
    }

    /** A kill of the broker leaves them where its coordinator passed a partition over that had no leader at the new start. */
    @Test
    void shouldEndATransactionThatItsCoordinatorTakesForEnded() throws Exception {
        KafkaProducer<String, String> producer;
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0);
                Admin admin = Admin.create(client(broker))) {
            admin.createTopics(List.of(new NewTopic("facts", 1, (short) 1)))
                    .all()
                    .get();
            producer = new KafkaProducer<>(
                    client(broker, Map.of("transactional.id", "writer")),
                    new StringSerializer(),
                    new StringSerializer());
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("facts", "ended"));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("facts", "left open")).get();
            TransactionDescription open = admin.describeTransactions(List.of("writer"))
                    .description("writer")
                    .get();
            noteAsCommitted(broker, open);
        }
        producer.close(Duration.ZERO);

        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0)) {
            assertThat(read(broker, 2)).containsExactly("ended", "left open");
        }
    }

    /** Writes what the coordinator writes when it believes that every partition knows of the end. */
    private void noteAsCommitted(EmbeddedBroker broker, TransactionDescription open) throws Exception {
        TxnTransitMetadata ended = new TxnTransitMetadata(
                open.producerId(),
                open.producerId(),
                -1,
                (short) (open.producerEpoch() + 1),
                (short) open.producerEpoch(),
                60_000,
                TransactionState.COMPLETE_COMMIT,
                new HashSet<>(),
                1,
                1,
                TransactionVersion.TV_2);
        // Under this name only does a broker take records of its own topics.
        try (KafkaProducer<byte[], byte[]> coordinator = new KafkaProducer<>(
                client(broker, Map.of("client.id", "__admin_client")),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            coordinator
                    .send(new ProducerRecord<>(
                            "__transaction_state",
                            0,
                            TransactionLog.keyToBytes("writer"),
                            TransactionLog.valueToBytes(ended, TransactionVersion.TV_2)))
                    .get();
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0)) {
            assertThat(DirectoryLock.isHeld(directory)).isTrue();
            assertThatThrownBy(() -> EmbeddedBroker.start(directory, credentials(), 0))
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("in use");
            assertThat(broker.port()).isPositive();
        }
        assertThat(DirectoryLock.isHeld(directory)).isFalse();
    }

    @Test
    void shouldRefuseALogThatSomethingElseWrote() throws Exception {
        Files.createDirectories(directory.resolve("kafka"));
        Files.writeString(directory.resolve("kafka/meta.properties"), "cluster.id=another\nversion=1\nnode.id=7\n");

        assertThatThrownBy(() -> EmbeddedBroker.start(directory, credentials(), 0))
                .isInstanceOf(DirectoryInUseException.class)
                .hasMessageContaining("did not write");
    }

    @Test
    void shouldRefuseALogOfAnotherCluster() throws Exception {
        Files.createDirectories(directory.resolve("kafka"));
        Files.writeString(directory.resolve("broker.properties"), "cluster.id=ours\n");
        Files.writeString(directory.resolve("kafka/meta.properties"), "cluster.id=another\nversion=1\nnode.id=1\n");

        assertThatThrownBy(() -> EmbeddedBroker.start(directory, credentials(), 0))
                .isInstanceOf(DirectoryInUseException.class)
                .hasMessageContaining("'another'")
                .hasMessageContaining("'ours'");
    }

    private Credentials credentials() {
        return new Credentials(directory.resolve("credentials"));
    }

    private Map<String, Object> client(EmbeddedBroker broker) {
        return client(broker, Map.of());
    }

    private Map<String, Object> client(EmbeddedBroker broker, Map<String, Object> more) {
        Map<String, Object> client = new HashMap<>(more);
        client.putAll(credentials().ensure(Account.ADMIN).clientProperties());
        client.put("bootstrap.servers", broker.bootstrapServers());
        return client;
    }

    private void write(EmbeddedBroker broker, long timestamp, String value) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(client(broker), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("facts", 0, timestamp, null, value))
                    .get();
        }
    }

    private List<String> read(EmbeddedBroker broker, int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                client(broker, Map.of("isolation.level", "read_committed")),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
