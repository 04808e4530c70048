package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.RecordHeader;
import io.weir.standalone.Connection;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroPayload;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir dead-letters} on a live scheduler, its broker and registry. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLettersIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 600, 10.0, 600, 5);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final byte[] KEY = "lab/n1".getBytes(StandardCharsets.UTF_8);

    @TempDir
    static Path root;

    private LiveSite site;
    private Connection admin;
    private KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    void start() throws Exception {
        site = new LiveSite(root, CLUSTER);
        admin = KafkaAccess.open(site.directory, Account.ADMIN).connection();
        producer = new KafkaProducer<>(admin.kafka(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** What was sent again was taken in as any other input: the journal gives everything that was decided. */
    @AfterAll
    void stop() {
        try (LiveSite open = site;
                KafkaProducer<byte[], byte[]> closing = producer) {
            assertThat(open.run("replay", "--verify"))
                    .as(() -> open.out() + open.err())
                    .isEqualTo(ExitCode.FINE);
        }
    }

    /** The registry does not know the schema of an event yet; once it does, the event can be sent again, once. */
    @Test
    void shouldSendARecordAgainOnceItsCauseIsMended() throws Exception {
        GenericEvent event = new GenericEvent("lab", "hitemp", "node", "n1", "hot", Instant.EPOCH, "test", true, null);
        Schema newer = new Schema.Parser()
                .parse(GenericEvent.getClassSchema()
                        .toString()
                        .replace("\"name\":\"GenericEvent\"", "\"name\":\"GenericEvent\",\"revision\":\"2\""));
        SchemaRegistryClient registry =
                new CachedSchemaRegistryClient(List.of(admin.endpoints().registryUrl()), 100, admin.registry());
        int known =
                registry.register("first", new AvroSchema("{\"type\":\"record\",\"name\":\"First\",\"fields\":[]}"));
        byte[] payload = AvroPayload.encode(event);
        byte[] value = ByteBuffer.allocate(5 + payload.length)
                .put((byte) 0)
                .putInt(known + 1)
                .put(payload)
                .array();
        RecordMetadata sent = producer.send(
                        new ProducerRecord<>(NAMES.full(Topics.MONITORING_EVENTS), 0, 1_000L, KEY, value))
                .get();
        String origin = "monitoring.events-0@" + sent.offset();

        Awaitility.await("the dead letter")
                .atMost(Duration.ofMinutes(1))
                .until(() -> site.text("dead-letters", "list", "--cause", "undecodable", "--since", "1h")
                        .contains(origin));
        assertThat(site.text("dead-letters", "show", origin))
                .contains("Cause:     UNDECODABLE", "Cluster:   lab", "Key:       lab/n1", value.length + " bytes");
        assertThat(site.text("dead-letters", "redrive", origin, "--dry-run")).contains(origin + " would be sent");
        assertThat(copies(Topics.MONITORING_EVENTS, value)).hasSize(1);

        assertThat(registry.register("second", new AvroSchema(newer))).isEqualTo(known + 1);
        assertThat(site.text("dead-letters", "redrive", "--cause", "UNDECODABLE"))
                .contains(origin + " sent again as monitoring.events-0@");
        Awaitility.await("the event in the journal")
                .atMost(Duration.ofMinutes(1))
                .until(() -> copies(Topics.JOURNAL, value).size() == 1);
        assertThat(copies(Topics.MONITORING_EVENTS, value)).hasSize(2).last().satisfies(record -> {
            assertThat(record.timestamp()).isEqualTo(1_000);
            assertThat(FactHeaders.REDRIVEN_FROM.get(record.headers())).contains(origin);
        });

        assertThat(site.run("dead-letters", "redrive", origin)).isEqualTo(ExitCode.FAILED);
        assertThat(site.out()).contains(origin + " not sent: it was sent again before");
        assertThat(site.text("dead-letters", "list")).contains("(sent again)");
        assertThat(site.text("dead-letters", "show", origin)).contains("Sent again ");
        assertThat(copies(Topics.JOURNAL, value)).hasSize(1);
    }

    /** An output comes again beside itself, and stays what the scheduler put out. */
    @Test
    void shouldSendACommandAgain() throws Exception {
        ConsumerRecord<byte[], byte[]> command = Awaitility.await("a command")
                .atMost(Duration.ofMinutes(1))
                .until(() -> all(Topics.COMMANDS), commands -> !commands.isEmpty())
                .get(0);
        file(new DeadLetterForm("test").of(command, NAMES, "TEST", "written by a test"));
        String origin = "commands-0@" + command.offset();

        assertThat(site.text("dead-letters", "redrive", origin)).contains(origin + " sent again as commands-0@");

        assertThat(copies(Topics.COMMANDS, command.value())).hasSize(2);
        assertThat(site.run("replay", "--verify"))
                .as(() -> site.out() + site.err())
                .isEqualTo(ExitCode.FINE);
        assertThat(site.run("replay", "--verify", "--from-iteration", "2"))
                .as(() -> site.out() + site.err())
                .isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldSayThatLettersCannotBeReadWhoseSchemaTheRegistryDoesNotKnow() throws Exception {
        byte[] value = {0, 0x7f, 0, 0, 1, 7};
        producer.send(new ProducerRecord<>(NAMES.full(Topics.DEAD_LETTERS), 0, KEY, value))
                .get();

        assertThat(site.run("dead-letters", "list")).isEqualTo(ExitCode.FINE);

        assertThat(site.err())
                .contains("WARNING: 1 record among the dead letters cannot be read and is left out")
                .contains("Schema id 2130706433 on weir.dead-letters");
    }

    @Test
    void shouldSayWhyALetterCannotBeSentAgain() throws Exception {
        file("notifications", 1_000_004, new byte[] {7}, true);
        file("rm.heartbeats", 1_000_005, new byte[] {7, 27}, false);
        file("journal", 1_000_006, new byte[] {7}, false);

        assertThat(site.run(
                        "dead-letters",
                        "redrive",
                        "notifications-0@1000004",
                        "rm.heartbeats-0@1000005",
                        "journal-0@1000006"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(site.out())
                .contains("its end is lost", "the connector's next one", "no service reads a topic journal");
        assertThat(site.text("dead-letters", "show", "rm.heartbeats-0@1000005"))
                .contains("2 bytes", "071b", "Header:    weir-connector: sim");
        assertThat(site.run("dead-letters", "redrive", "rm.jobs-0@99999999")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.run("dead-letters", "redrive")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.run("dead-letters", "list", "--since", "yesterday")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.run("dead-letters", "list", "--limit", "-1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.run("dead-letters", "list", "--topic", "request")).isEqualTo(ExitCode.BAD_INPUT);
    }

    /** Who may read the topics sees the letters; to send them again is the administrator's. */
    /** The scheduler would put it on this topic, and nobody who published it would know. */
    @Test
    void shouldPublishNoPolicyForAClusterThatThereIsNot() throws Exception {
        Path policy = Files.writeString(root.resolve("site.cfg"), "BACKFILLPOLICY FIRSTFIT\n");

        assertThat(site.run("policy", "--cluster", "labb", policy.toString())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.err()).contains("There is no cluster 'labb'; there are [lab]", "--new");

        // As long as a configuration may be, in letters of three bytes each.
        Files.writeString(policy, "BACKFILLPOLICY FIRSTFIT\n" + ("# " + "\u754c".repeat(97) + "\n").repeat(4_990));
        site.text("policy", "--cluster", "lab", policy.toString());
        assertThat(site.text("policy", "--cluster", "other", "--new", policy.toString()))
                .contains("is published for other")
                .doesNotContain("errors");
    }

    @Test
    void shouldSayHowManyLinesOfAPolicyAreWrongAndRefuseAnEmptyOne() throws Exception {
        Path policy = Files.writeString(root.resolve("site.cfg"), "BACKFILLPOLICY NEVERMORE\nRESERVATIONDEPHT 3\n");

        assertThat(site.text("policy", "--cluster", "lab", policy.toString()))
                .contains("1 errors, 1 warnings; weir config check " + policy + " lists them");

        Files.writeString(policy, "");
        assertThat(site.run("policy", "--cluster", "lab", policy.toString())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(site.err()).contains("site.cfg is empty");
    }

    @Test
    void shouldLetReadersListOnly() throws Exception {
        Path client = root.resolve("clients").resolve("weir-reader.properties");
        assertThat(Files.exists(client)).isTrue();
        file("requests", 1_000_007, new byte[] {7}, false);
        List<String> reader = List.of(
                "--bootstrap-server",
                admin.endpoints().bootstrapServers(),
                "--registry",
                admin.endpoints().registryUrl(),
                "--client-config",
                client.toString());

        assertThat(site.runBare(words(List.of("dead-letters", "list"), reader)))
                .as(() -> site.err())
                .isEqualTo(ExitCode.FINE);
        assertThat(site.out()).contains("requests-0@1000007");
        assertThat(site.runBare(words(List.of("dead-letters", "redrive", "requests-0@1000007"), reader)))
                .isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(site.err()).contains("sending dead letters again is the administrator's");
    }

    private static String[] words(List<String> command, List<String> options) {
        List<String> words = new ArrayList<>(command);
        words.addAll(options);
        return words.toArray(String[]::new);
    }

    private void file(String topic, long offset, byte[] value, boolean cut) throws Exception {
        DeadLetter letter = DeadLetter.newBuilder()
                .setService("test")
                .setTopic(topic)
                .setPartition(0)
                .setOffset(offset)
                .setTimestamp(1_000)
                .setCause("TEST")
                .setMessage("written by a test")
                .setKey(ByteBuffer.wrap(KEY))
                .setValue(ByteBuffer.wrap(value))
                .setHeaders(List.of(
                        new RecordHeader("weir-connector", ByteBuffer.wrap("sim".getBytes(StandardCharsets.UTF_8)))))
                .setTruncated(cut)
                .build();
        file(letter);
    }

    private void file(DeadLetter letter) throws Exception {
        try (AvroCodec codec = new AvroCodec(NAMES, admin.registry())) {
            producer.send(new ProducerRecord<>(
                            NAMES.full(Topics.DEAD_LETTERS),
                            "lab".getBytes(StandardCharsets.UTF_8),
                            codec.encode(Topics.DEAD_LETTERS, letter)))
                    .get();
        }
    }

    /** Returns the committed records of a topic that have {@code value}. */
    private List<ConsumerRecord<byte[], byte[]>> copies(Topic<?> topic, byte[] value) {
        return all(topic).stream()
                .filter(record -> Arrays.equals(record.value(), value))
                .toList();
    }

    /** Returns the committed records of a topic. */
    private List<ConsumerRecord<byte[], byte[]>> all(Topic<?> topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        Map<String, Object> settings = admin.kafka();
        settings.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(NAMES.full(topic), 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }
}
