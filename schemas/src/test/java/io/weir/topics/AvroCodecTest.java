package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpServer;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import io.confluent.kafka.serializers.subject.TopicRecordNameStrategy;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AvroCodecTest {

    private static final String SCOPE = "codec-test";
    private static final Topic<NodeMetric> TOPIC = Topics.MONITORING_METRICS;
    private static final String TOPIC_NAME = "weir.monitoring.metrics";
    private static final TopicNames NAMES = new TopicNames("weir.");
    private static final Map<String, Object> CONFIG = Map.of("schema.registry.url", "mock://" + SCOPE);

    private final NodeMetric metric = Records.metric();
    private AvroCodec codec;

    @BeforeEach
    void open() {
        codec = new AvroCodec(NAMES, CONFIG);
    }

    @AfterEach
    void close() {
        codec.close();
        MockSchemaRegistry.dropScope(SCOPE);
    }

    @Test
    void shouldReadWhatItWrote() {
        assertThat(codec.decode(TOPIC, codec.encode(TOPIC, metric))).isEqualTo(metric);
    }

    @Test
    void shouldWriteWhatConfluentsDeserializerReads() {
        try (KafkaAvroDeserializer deserializer = new KafkaAvroDeserializer()) {
            deserializer.configure(
                    Map.of("schema.registry.url", "mock://" + SCOPE, "specific.avro.reader", true), false);

            assertThat(deserializer.deserialize(TOPIC_NAME, codec.encode(TOPIC, metric), TOPIC.schema()))
                    .isEqualTo(metric);
        }
    }

    @Test
    void shouldReadWhatConfluentsSerializerWrites() {
        try (KafkaAvroSerializer serializer = new KafkaAvroSerializer()) {
            serializer.configure(
                    Map.of("schema.registry.url", "mock://" + SCOPE, "avro.remove.java.properties", true), false);
            byte[] theirs = serializer.serialize(TOPIC_NAME, metric);

            assertThat(codec.decode(TOPIC, theirs)).isEqualTo(metric);
            assertThat(codec.encode(TOPIC, metric)).isEqualTo(theirs);
        }
    }

    @Test
    void shouldRegisterSchemasWithoutJavaProperties() throws Exception {
        codec.prepare(Topics.all());

        SchemaRegistryClient registry = MockSchemaRegistry.getClientForScope(SCOPE);
        assertThat(registry.getAllSubjects()).hasSameSizeAs(Topics.all());
        for (String subject : registry.getAllSubjects()) {
            assertThat(registry.getLatestSchemaMetadata(subject).getSchema())
                    .contains("\"doc\"")
                    .doesNotContain("avro.java");
        }
    }

    @Test
    void shouldGiveThePayloadWithoutTheHeader() {
        byte[] bytes = codec.encode(TOPIC, metric);

        assertThat(AvroPayload.of(bytes)).hasSize(bytes.length - 5).isEqualTo(AvroPayload.encode(metric));
    }

    @ParameterizedTest
    @MethodSource("everyTopic")
    void shouldWriteWhatAvroWrites(Topic<?> topic) {
        byte[] theirs = new SampleRecord(topic.schema()).bytes();

        SpecificRecord read = codec.decode(topic, codec.withHeader(topic, theirs));

        assertThat(AvroPayload.encode(read)).isNotEmpty().isEqualTo(theirs);
    }

    static Stream<Topic<?>> everyTopic() {
        return Topics.all().stream();
    }

    @Test
    void shouldPassTombstonesThroughItsSerde() {
        try (Serde<NodeMetric> serde = codec.serde(TOPIC)) {
            assertThat(serde.serializer().serialize(TOPIC_NAME, null)).isNull();
            assertThat(serde.deserializer().deserialize(TOPIC_NAME, null)).isNull();
            byte[] bytes = serde.serializer().serialize(TOPIC_NAME, metric);
            assertThat(serde.deserializer().deserialize(TOPIC_NAME, bytes)).isEqualTo(metric);
        }
    }

    @Test
    void shouldCallBytesWithoutHeaderPoison() {
        assertPoison(new byte[0], "too short");
        assertPoison(new byte[] {0, 0, 0}, "too short");
        assertPoison("{\"json\":1}".getBytes(StandardCharsets.UTF_8), "First byte is 123");
    }

    @Test
    void shouldCallAnUnknownSchemaIdPoison() {
        byte[] bytes = codec.encode(TOPIC, metric);
        ByteBuffer.wrap(bytes).putInt(1, 987_654);

        assertPoison(bytes, "987654");
    }

    /** As where a registry lost its schemas, and many records are read that were written before. */
    @Test
    void shouldNotAskForEachRecordOfAnUnknownSchema() throws Exception {
        try (FakeRegistry registry = new FakeRegistry();
                AvroCodec asking = new AvroCodec(NAMES, Map.of("schema.registry.url", registry.url()))) {
            registry.answer(404, 40403);
            byte[] bytes = codec.encode(TOPIC, metric);

            for (int i = 0; i < 1_000; i++) {
                assertThatExceptionOfType(UnknownSchemaException.class)
                        .isThrownBy(() -> asking.decode(TOPIC, bytes))
                        .withMessageContaining("Schema id");
            }

            assertThat(registry.questions()).isLessThan(1_000);
        }
    }

    @Test
    void shouldCallEveryTruncationPoison() {
        byte[] bytes = codec.encode(TOPIC, metric);

        for (int length = 0; length < bytes.length; length++) {
            assertPoison(Arrays.copyOf(bytes, length), "");
        }
    }

    @Test
    void shouldCallTrailingBytesPoison() {
        byte[] bytes = codec.encode(TOPIC, metric);

        assertPoison(Arrays.copyOf(bytes, bytes.length + 1), "longer than its record");
    }

    @Test
    void shouldCallAnAbsurdLengthPoisonWithoutAllocatingIt() {
        byte[] bytes = codec.encode(TOPIC, metric);
        // The first field is a string: its length as a zigzag varint, here 1,073,741,823.
        System.arraycopy(new byte[] {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07}, 0, bytes, 5, 5);

        assertPoison(bytes, "does not follow schema");
    }

    @Test
    void shouldCallARecordOfAnotherTypePoison() throws Exception {
        SchemaRegistryClient registry = MockSchemaRegistry.getClientForScope(SCOPE);
        int id = registry.register(
                TOPIC_NAME + "-value",
                new io.confluent.kafka.schemaregistry.avro.AvroSchema(GenericEvent.getClassSchema()));

        byte[] bytes = ByteBuffer.allocate(12).put((byte) 0).putInt(id).array();

        assertPoison(bytes, "io.weir.schemas.GenericEvent");
    }

    @Test
    void shouldCallANonRecordSchemaPoison() throws Exception {
        SchemaRegistryClient registry = MockSchemaRegistry.getClientForScope(SCOPE);
        int id = registry.register(
                TOPIC_NAME + "-value", new io.confluent.kafka.schemaregistry.avro.AvroSchema("\"string\""));

        assertPoison(ByteBuffer.allocate(12).put((byte) 0).putInt(id).array(), "holds io.weir.schemas.NodeMetric");
    }

    /** Readers skip a field that they do not know, item by item, however many there are said to be. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"array\",\"items\":\"null\"}",
                "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Nothing\",\"fields\":[]}}",
                "{\"type\":\"array\",\"items\":{\"type\":\"fixed\",\"name\":\"Nothing\",\"size\":0}}",
                "{\"type\":\"map\",\"values\":{\"type\":\"array\",\"items\":\"null\"}}"
            })
    void shouldCallASchemaPoisonThatNeedsNoBytes(String type) throws Exception {
        ByteArrayOutputStream blocks = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(blocks, null);
        for (int i = 0; i < 1_000; i++) {
            encoder.writeLong(2_147_483_000);
        }
        encoder.writeLong(0);
        byte[] bytes = withAnotherField(type, blocks.toByteArray());

        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> assertPoison(bytes, "a list of items that take no bytes"));
    }

    @Test
    void shouldCallASchemaPoisonThatContainsItself() throws Exception {
        byte[] nested = new byte[900_000];
        Arrays.fill(nested, (byte) 2);
        byte[] bytes = withAnotherField(
                "{\"type\":\"record\",\"name\":\"Link\",\"namespace\":\"x\",\"fields\":"
                        + "[{\"name\":\"next\",\"type\":[\"null\",\"Link\"]}]}",
                nested);

        assertPoison(bytes, "contains x.Link within itself");
    }

    /** Returns a record with one field more, of {@code type}, that begins with {@code value}. */
    private byte[] withAnotherField(String type, byte[] value) throws Exception {
        String schema = NodeMetric.getClassSchema().toString();
        String more = schema.replaceFirst("\\{\"name\":\"cluster\"", "{\"name\":\"more\",\"type\":" + type + "},$0");
        SchemaRegistryClient registry = MockSchemaRegistry.getClientForScope(SCOPE);
        int id = registry.register(TOPIC_NAME + "-value", new io.confluent.kafka.schemaregistry.avro.AvroSchema(more));
        byte[] own = AvroPayload.encode(metric);
        return ByteBuffer.allocate(5 + value.length + own.length)
                .put((byte) 0)
                .putInt(id)
                .put(value)
                .put(own)
                .array();
    }

    @Test
    void shouldReportAnAbsentRegistryAsRetriable() throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (AvroCodec away = new AvroCodec(
                NAMES, Map.of("schema.registry.url", "http://127.0.0.1:" + closedPort(), "max.retries", 0))) {
            assertThatExceptionOfType(RegistryUnavailableException.class).isThrownBy(() -> away.decode(TOPIC, bytes));
            assertThatExceptionOfType(RegistryUnavailableException.class).isThrownBy(() -> away.encode(TOPIC, metric));
        }
    }

    @ParameterizedTest
    @CsvSource({"basic.auth.user.info, ann:geheim, Basic YW5uOmdlaGVpbQ==", "bearer.auth.token, t0k3n, Bearer t0k3n"})
    void shouldLogInWithTheSecretAlone(String property, String secret, String login) throws Exception {
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(
                        NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0, property, secret))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> remote.encode(TOPIC, metric));

            assertThat(fake.login).isEqualTo(login);
        }
    }

    @Test
    void shouldTellAFailingRegistryFromADefiniteAnswer() throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            fake.answer(500, 50001);
            assertThatExceptionOfType(RegistryUnavailableException.class).isThrownBy(() -> remote.decode(TOPIC, bytes));
            fake.answer(401, 401);
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> remote.decode(TOPIC, bytes))
                    .withMessageContaining("refuses the login with status 401");
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> remote.encode(TOPIC, metric))
                    .withMessageContaining("registry.basic.auth.user.info");
            fake.answer(404, 404);
            assertThatExceptionOfType(RegistryUnavailableException.class).isThrownBy(() -> remote.decode(TOPIC, bytes));
            fake.answer(404, 40403);
            assertThatExceptionOfType(PoisonRecordException.class).isThrownBy(() -> remote.decode(TOPIC, bytes));
            fake.answer(409, 409);
            assertThatIllegalStateException()
                    .isThrownBy(() -> remote.encode(TOPIC, metric))
                    .withMessageContaining("weir.monitoring.metrics-value")
                    .withMessageContaining("if it is another program's, remove it");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSON", "PROTOBUF", "SOMETHING"})
    void shouldNotWaitForASchemaThatIsNoneOfAvro(String type) throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            fake.answer("{\"schemaType\":\"" + type + "\",\"schema\":\"{}\"}");

            assertThatExceptionOfType(PoisonRecordException.class)
                    .isThrownBy(() -> remote.decode(TOPIC, bytes))
                    .withMessageContaining("Schema id 1 on weir.monitoring.metrics: Invalid schema type " + type);
        }
    }

    @Test
    void shouldNotWaitForASchemaThatAvroCannotRead() throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            fake.answer("{\"schema\":\"no schema\"}");

            assertThatExceptionOfType(PoisonRecordException.class)
                    .isThrownBy(() -> remote.decode(TOPIC, bytes))
                    .withMessageContaining("Schema id 1 on weir.monitoring.metrics: Invalid schema no schema");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "null", "[]", "<html>Maintenance</html>"})
    void shouldWaitWhereTheAnswerIsNone(String body) throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            fake.answer(body);

            assertThatExceptionOfType(RegistryUnavailableException.class).isThrownBy(() -> remote.decode(TOPIC, bytes));
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> remote.encode(TOPIC, metric));
        }
    }

    @Test
    void shouldNotWaitForARegistryThatDoesNotAnswer() throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (SlowRegistry slow = new SlowRegistry(AvroCodec.withoutJavaProperties(TOPIC));
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", slow.url(), "max.retries", 0))) {
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(RegistryUnavailableException.class)
                        .isThrownBy(() -> remote.decode(TOPIC, bytes, Duration.ofMillis(1)))
                        .withMessageContaining("monitoring.metrics");
            }

            slow.answer();

            assertThat(remote.decode(TOPIC, bytes, Duration.ofMinutes(1))).isEqualTo(metric);
            assertThat(slow.questions).hasValue(1);
        }
    }

    @Test
    void shouldReadWhatItWritesWithoutTheRegistry() throws Exception {
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            fake.answer("{\"id\":7}");
            remote.prepare(List.of(TOPIC));
            fake.answer(503, 503);

            assertThat(remote.decode(TOPIC, remote.encode(TOPIC, metric))).isEqualTo(metric);
        }
    }

    @Test
    void shouldReadWhatOthersWriteWithoutTheRegistryOnceItHasLearnedTheirSchemas() throws Exception {
        FickleRegistry registry = new FickleRegistry();
        byte[] ofThisBuild;
        try (AvroCodec other = new AvroCodec(NAMES, CONFIG, registry)) {
            ofThisBuild = other.encode(TOPIC, metric);
        }
        int later = registry.register(TOPIC_NAME + "-value", new AvroSchema(withOneFieldMore(TOPIC.schema())));
        byte[] ofALaterBuild =
                ByteBuffer.allocate(ofThisBuild.length + 1).put(ofThisBuild).array();
        ByteBuffer.wrap(ofALaterBuild).putInt(1, later);
        try (AvroCodec fresh = new AvroCodec(NAMES, CONFIG, registry)) {
            fresh.learn(List.of(Topics.COMMANDS, TOPIC));
            registry.away = true;

            assertThat(fresh.decode(TOPIC, ofThisBuild)).isEqualTo(metric);
            assertThat(fresh.decode(TOPIC, ofALaterBuild)).isEqualTo(metric);
        }
    }

    /** As where the scheduler of a new site starts before the connector. */
    @Test
    void shouldReadWhatNobodyHadWrittenWhenItLearned() throws Exception {
        FickleRegistry registry = new FickleRegistry();
        try (AvroCodec first = new AvroCodec(NAMES, CONFIG, registry);
                AvroCodec other = new AvroCodec(NAMES, CONFIG, registry)) {
            first.learn(List.of(TOPIC));
            byte[] bytes = other.encode(TOPIC, metric);
            registry.away = true;

            assertThat(first.decode(TOPIC, bytes)).isEqualTo(metric);
        }
    }

    /** As a sink of Kafka Connect does for each schema that it meets on the journal. */
    @Test
    void shouldLetTheVersionsBeAskedForOfWhatIsCopiedOntoAnotherTopic() throws Exception {
        FickleRegistry registry = new FickleRegistry();
        try (AvroCodec other = new AvroCodec(NAMES, CONFIG, registry)) {
            other.encode(TOPIC, metric);
        }
        AvroSchema later = new AvroSchema(withOneFieldMore(TOPIC.schema()));
        int id = registry.register(TOPIC_NAME + "-value", later);
        try (AvroCodec fresh = new AvroCodec(NAMES, CONFIG, registry)) {
            fresh.learn(List.of(TOPIC, Topics.COMMANDS));

            fresh.registerCopied(Topics.JOURNAL, List.of(TOPIC, Topics.JOURNAL));
        }

        String subject = new TopicRecordNameStrategy().subjectName(NAMES.full(Topics.JOURNAL), false, later);
        assertThat(subject).isEqualTo("weir.journal-io.weir.schemas.NodeMetric");
        assertThat(registry.getVersion(subject, later)).isEqualTo(2);
        assertThat(registry.getSchemaBySubjectAndId(subject, id)).isEqualTo(later);
        assertThat(registry.getAllSubjects()).doesNotContain("weir.journal-io.weir.schemas.RmCommand");
    }

    /** Nothing of Weir's own depends on it. */
    @Test
    void shouldGoOnThoughTheRegistryIsAwayWhereCopiesAreRegistered() {
        FickleRegistry registry = new FickleRegistry();
        try (AvroCodec fresh = new AvroCodec(NAMES, CONFIG, registry)) {
            fresh.encode(TOPIC, metric);
            registry.away = true;

            fresh.registerCopied(Topics.JOURNAL, List.of(TOPIC));

            assertThat(fresh.decode(TOPIC, fresh.encode(TOPIC, metric))).isEqualTo(metric);
        }
    }

    @Test
    void shouldAskLaterForSchemasThatItCouldNotLearn() throws Exception {
        FickleRegistry registry = new FickleRegistry();
        byte[] bytes;
        try (AvroCodec other = new AvroCodec(NAMES, CONFIG, registry)) {
            bytes = other.encode(TOPIC, metric);
        }
        try (AvroCodec fresh = new AvroCodec(NAMES, CONFIG, registry)) {
            registry.away = true;
            fresh.learn(List.of(TOPIC));
            registry.away = false;

            assertThat(fresh.decode(TOPIC, bytes)).isEqualTo(metric);
        }
    }

    @Test
    void shouldTellThoseWhoDoNotWaitWhatARegistryAnswered() throws Exception {
        byte[] bytes = codec.encode(TOPIC, metric);
        Duration patience = Duration.ofMinutes(1);
        try (FakeRegistry fake = new FakeRegistry();
                AvroCodec remote = new AvroCodec(NAMES, Map.of("schema.registry.url", fake.url(), "max.retries", 0))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> remote.decode(TOPIC, bytes, patience))
                    .withMessageContaining("status 500");
            fake.answer(404, 40403);
            assertThatExceptionOfType(UnknownSchemaException.class)
                    .isThrownBy(() -> remote.decode(TOPIC, bytes, patience));
        }
    }

    @Test
    void shouldRefuseToWriteAnUnregisteredSchemaWhenItMayNotRegister() {
        try (AvroCodec reader =
                new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://empty", "auto.register.schemas", "false"))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> reader.prepare(List.of(TOPIC)))
                    .withMessageContaining("weir.monitoring.metrics-value");
        }
    }

    @Test
    void shouldDecodeOnManyThreadsAtOnce() {
        byte[] bytes = codec.encode(TOPIC, metric);
        try (AvroCodec fresh = new AvroCodec(NAMES, CONFIG)) {
            assertThat(IntStream.range(0, 20_000).parallel().mapToObj(i -> fresh.decode(TOPIC, bytes)))
                    .allMatch(metric::equals);
        }
    }

    private void assertPoison(byte[] bytes, String cause) {
        assertThatExceptionOfType(PoisonRecordException.class)
                .isThrownBy(() -> codec.decode(TOPIC, bytes))
                .withMessageContaining(cause);
    }

    private static int closedPort() throws IOException {
        try (FakeRegistry gone = new FakeRegistry()) {
            return gone.port();
        }
    }

    private static Schema withOneFieldMore(Schema schema) {
        List<Schema.Field> fields = new ArrayList<>();
        schema.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        Schema optional = SchemaBuilder.unionOf().nullType().and().intType().endUnion();
        fields.add(new Schema.Field("later", optional, null, Schema.Field.NULL_DEFAULT_VALUE));
        return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
    }

    /** A registry that is away at times. */
    private static final class FickleRegistry extends MockSchemaRegistryClient {
        private boolean away;

        @Override
        public List<Integer> getAllVersions(String subject) throws IOException, RestClientException {
            answer();
            return super.getAllVersions(subject);
        }

        @Override
        public ParsedSchema getSchemaBySubjectAndId(String subject, int id) throws IOException, RestClientException {
            answer();
            return super.getSchemaBySubjectAndId(subject, id);
        }

        @Override
        public int register(String subject, ParsedSchema schema, boolean normalize)
                throws IOException, RestClientException {
            answer();
            return super.register(subject, schema, normalize);
        }

        private void answer() throws IOException {
            if (away) {
                throw new IOException("it is away");
            }
        }
    }

    /** Has every question for a schema wait until it is told to answer. */
    private static final class SlowRegistry implements AutoCloseable {
        private final AtomicInteger questions = new AtomicInteger();
        private final CountDownLatch answer = new CountDownLatch(1);
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final HttpServer server;

        SlowRegistry(Schema schema) throws IOException {
            byte[] body = ("{\"schema\":\""
                            + schema.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                questions.incrementAndGet();
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        void answer() {
            answer.countDown();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            answer();
            server.stop(0);
            threads.shutdownNow();
        }
    }

    /** Answers every request with one error. */
    private static final class FakeRegistry implements AutoCloseable {

        private final HttpServer server;
        private volatile int status = 500;
        private volatile int code = 500;
        private volatile @Nullable String text;
        private volatile @Nullable String login;
        private final AtomicInteger questions = new AtomicInteger();

        FakeRegistry() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                questions.incrementAndGet();
                login = exchange.getRequestHeaders().getFirst("Authorization");
                String told = text;
                byte[] body = (told == null ? "{\"error_code\":" + code + ",\"message\":\"as told\"}" : told)
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        int questions() {
            return questions.get();
        }

        /** Answers with {@code body} as if all were well. */
        void answer(String body) {
            status = 200;
            text = body;
        }

        void answer(int status, int code) {
            text = null;
            this.status = status;
            this.code = code;
        }

        int port() {
            return server.getAddress().getPort();
        }

        String url() {
            return "http://127.0.0.1:" + port();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
