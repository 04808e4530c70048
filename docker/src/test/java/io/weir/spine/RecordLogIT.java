package io.weir.spine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.scheduler.audit.KafkaRecordLog;
import io.weir.scheduler.audit.RecordLog.Segments;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit learns of a broker's segments, which decides whether a record may have been compacted away. */
class RecordLogIT {
    private static final TopicPartition FACTS = new TopicPartition("facts", 0);
    private static final long DAY = 86_400_000L;
    private static final long THEN = Instant.parse("1996-09-23T12:00:31Z").toEpochMilli();

    @TempDir
    Path directory;

    @Test
    void shouldDateATransactionByItsEndToo() throws Exception {
        try (EmbeddedBroker broker = start(Map.of());
                KafkaRecordLog log = new KafkaRecordLog(client(broker))) {
            write(broker, 1, false);
            assertThat(log.isDatedSince(FACTS, THEN)).isTrue();
            assertThat(log.isDatedSince(FACTS, THEN + DAY)).isFalse();

            write(broker, 1, true);

            // The partition learns of the end a moment after the producer.
            await().untilAsserted(() ->
                    assertThat(log.isDatedSince(FACTS, THEN + DAY)).isTrue());
            assertThat(log.isDatedSince(FACTS, System.currentTimeMillis() + DAY))
                    .isFalse();
        }
    }

    @Test
    void shouldExpectNoSegmentToBeClosedLaterThanTheBrokerClosesIt() throws Exception {
        try (EmbeddedBroker broker = start(Map.of("segment.index.bytes", "240", "index.interval.bytes", "100"));
                KafkaRecordLog log = new KafkaRecordLog(client(broker))) {
            Segments segments = log.segments("facts");
            assertThat(segments.bytes()).isEqualTo(19 * 100);

            write(broker, 30, false);

            List<Path> files = segmentFiles();
            assertThat(files).hasSizeGreaterThan(1);
            assertThat(Files.size(files.get(0))).isGreaterThanOrEqualTo(segments.bytes());
        }
    }

    private List<Path> segmentFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("kafka/facts-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private EmbeddedBroker start(Map<String, String> settings) throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials(), 0);
        try (Admin admin = Admin.create(client(broker))) {
            admin.createTopics(List.of(new NewTopic("facts", 1, (short) 1).configs(settings)))
                    .all()
                    .get();
        }
        return broker;
    }

    /** Writes so many records of virtual time, each in a batch of its own. */
    private void write(EmbeddedBroker broker, int records, boolean transaction) throws Exception {
        Map<String, Object> settings = client(broker);
        if (transaction) {
            settings.put("transactional.id", "writer");
        }
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            if (transaction) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>("facts", 0, THEN + i, "key", "x".repeat(200)))
                        .get();
            }
            if (transaction) {
                producer.commitTransaction();
            }
        }
    }

    private Credentials credentials() {
        return new Credentials(directory.resolve("credentials"));
    }

    private Map<String, Object> client(EmbeddedBroker broker) {
        Map<String, Object> client =
                new HashMap<>(credentials().ensure(Account.ADMIN).clientProperties());
        client.put("bootstrap.servers", broker.bootstrapServers());
        return client;
    }
}
