package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.security.auth.module.UnixSystem;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another user of the machine, and each account, can do to a launcher at work. */
class AccessIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 4, 2, 50, 1.0, 600, 3);
    private static final byte[] KEY = "lab/x".getBytes(StandardCharsets.UTF_8);
    private static final String NOBODY = "65534";

    /** Everyone may enter this one, as /home or /var/lib; and the launcher's directory in it, made by an older release. */
    @TempDir
    static Path parent;

    private static DataDirectory directory;
    private static int controller;
    private static Standalone standalone;

    @BeforeAll
    static void start() throws IOException {
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path root = parent.resolve("site");
        Files.createDirectories(root.resolve("broker"));
        Files.createDirectories(root.resolve("scheduler"));
        Files.createDirectories(root.resolve("logs"));
        for (Path open : List.of(root, root.resolve("broker"), root.resolve("scheduler"), root.resolve("logs"))) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        directory = new DataDirectory(root);
        CLUSTER.writeScript(directory);
        int[] ports = FreePorts.any(2);
        controller = ports[1];
        Map<String, String> fixedPorts = Map.of(
                "listeners", "CLIENTS://127.0.0.1:" + ports[0] + ",CONTROLLER://127.0.0.1:" + controller,
                "controller.quorum.voters", "1@127.0.0.1:" + controller);
        standalone = Standalone.start(
                new StandaloneConfig(directory, ports[0], 0, fixedPorts, CLUSTER.settings(directory)),
                EnumSet.complementOf(EnumSet.of(Component.MONITORING)));
    }

    @AfterAll
    static void stop() {
        standalone.close();
    }

    @Test
    void shouldLetAStrangerNeitherListReadNorWriteATopic() throws Exception {
        Map<String, Object> stranger = client(Map.of());
        assertRefused(stranger);
        assertRefused(client(Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                + " username=\"weir-admin\" password=\"\";")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir-admin", "weir-broker", "nobody", "../credentials/weir-admin"})
    void shouldKnowNobodyByAWrongPassword(String user) {
        Map<String, Object> forged =
                client(new Credential(user, "0123456789abcdef", "0123456789abcdef").clientProperties());

        assertThatThrownBy(() -> topics(forged)).hasCauseInstanceOf(SaslAuthenticationException.class);
    }

    /** It is sent, and whoever took a stopped broker's port would learn it. */
    @Test
    void shouldTakeAPasswordInPlainTextFromReadersOnly() throws Exception {
        assertThat(topics(client(plain(Account.READER)))).contains("weir.jobs");
        for (Account account : List.of(Account.ADMIN, Account.BROKER, Account.API, Account.MONITORING)) {
            assertThatThrownBy(() -> topics(client(plain(account))))
                    .as(account.name())
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
        Map<String, Object> controllers = new HashMap<>(quick());
        controllers.putAll(plain(Account.READER));
        controllers.put("bootstrap.controllers", "127.0.0.1:" + controller);
        assertThatThrownBy(() -> quorum(controllers)).isInstanceOf(ExecutionException.class);
    }

    private static Map<String, String> plain(Account account) {
        Map<String, String> client =
                new HashMap<>(standalone.connection(account).client());
        client.put("sasl.mechanism", "PLAIN");
        client.computeIfPresent(
                "sasl.jaas.config", (key, jaas) -> jaas.replace("scram.ScramLoginModule", "plain.PlainLoginModule"));
        return client;
    }

    @Test
    void shouldLetAStrangerNotReachTheController() {
        Map<String, Object> stranger = new HashMap<>(quick());
        stranger.put("bootstrap.controllers", "127.0.0.1:" + controller);
        assertThatThrownBy(() -> quorum(stranger)).isInstanceOf(ExecutionException.class);

        Map<String, Object> reader = new HashMap<>(stranger);
        reader.putAll(standalone.connection(Account.READER).client());
        assertThatThrownBy(() -> quorum(reader)).hasCauseInstanceOf(ClusterAuthorizationException.class);
    }

    @Test
    void shouldLetAStrangerNotReachTheRegistry() throws Exception {
        String url = standalone.endpoints().registryUrl();
        for (String path : List.of("/", "/subjects", "/schemas/ids/1", "/config", "/mode")) {
            HttpResponse<String> refused = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).as(path).isEqualTo(401);
        }
    }

    @Test
    void shouldLetAnotherUserReadNoFile() throws Exception {
        assumeThat(new UnixSystem().getUid())
                .as("only root becomes another user")
                .isZero();
        List<Path> secrets = new ArrayList<>(List.of(
                directory.tokens(),
                directory.credentials().resolve("weir-admin.properties"),
                directory.credentials().resolve("weir-reader.properties")));
        try (Stream<Path> files = Files.walk(directory.broker())) {
            secrets.addAll(
                    files.filter(path -> path.toString().endsWith(".log")).toList());
        }
        assertThat(secrets).hasSizeGreaterThan(20).allMatch(Files::isRegularFile);
        Path open = Files.writeString(parent.resolve("open"), "for all");

        assertThat(asNobody("cat", open.toString())).isZero();
        for (Path secret : secrets) {
            assertThat(asNobody("cat", secret.toString())).as(secret.toString()).isNotZero();
        }
        for (Path part : List.of(
                directory.broker(),
                directory.credentials(),
                directory.clients(),
                directory.scheduler(),
                directory.connector(),
                directory.notifier(),
                directory.logs())) {
            assertThat(asNobody("ls", part.toString())).as(part.toString()).isNotZero();
        }
        assertThat(asNobody("touch", directory.root().resolve("planted").toString()))
                .isNotZero();
    }

    @Test
    void shouldLetAReaderReadAndNothingElse() throws Exception {
        Connection reader = standalone.connection(Account.READER);
        assertThat(topics(reader.kafka()))
                .containsExactlyInAnyOrderElementsOf(
                        Topics.all().stream().map(NAMES::full).toList());
        assertThat(new TopicContents(reader, NAMES).read(Topics.RM_NODES)).isNotNull();
        for (Topic<?> topic : Topics.all()) {
            assertThatThrownBy(() -> write(Account.READER, topic))
                    .as(topic.name())
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
        try (Admin admin = Admin.create(reader.kafka())) {
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("mine", Optional.of(1), Optional.empty())))
                            .all()
                            .get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(() ->
                            admin.deleteTopics(List.of("weir.journal")).all().get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(() ->
                            admin.describeAcls(AclBindingFilter.ANY).values().get())
                    .hasCauseInstanceOf(ClusterAuthorizationException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "weir-scheduler, requests",
        "weir-scheduler, policy",
        "weir-scheduler, rm.jobs",
        "weir-connector.lab.rm, requests",
        "weir-connector.lab.rm, policy",
        "weir-connector.lab.rm, commands",
        "weir-connector.lab.rm, journal",
        "weir-notifier, requests",
        "weir-notifier, plugin-questions",
        "weir-notifier, notifications",
        "weir-monitoring, requests",
        "weir-monitoring, rm.nodes",
        "weir-api, commands",
        "weir-api, plugin-questions",
        "weir-api, journal",
        "weir-api, jobs"
    })
    void shouldLetNoServiceWriteWhatIsNotItsOwn(String account, String topic) {
        assertThatThrownBy(
                        () -> write(new Account(account), Topics.byName(topic).orElseThrow()))
                .hasCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void shouldKeepClientFilesReadyForUse() throws Exception {
        Map<String, String> java = PropertiesFile.read(directory.javaClient(Account.READER));
        assertThat(topics(Map.copyOf(java))).contains("weir.jobs");
        Connection whole = new Connection(
                new Endpoints(java.getOrDefault("bootstrap.servers", ""), java.getOrDefault("schema.registry.url", "")),
                java);
        assertThat(new TopicContents(whole, NAMES).read(Topics.RM_NODES)).isNotNull();
        Map<String, String> librdkafka = PropertiesFile.read(directory.librdkafkaClient(Account.READER));
        assertThat(librdkafka.keySet())
                .containsExactlyInAnyOrder(
                        "bootstrap.servers", "security.protocol", "sasl.mechanism", "sasl.username", "sasl.password");
        assertThat(java.get("sasl.jaas.config")).contains(librdkafka.getOrDefault("sasl.password", "none"));
        for (Account account : List.of(Account.READER, Account.MONITORING, Account.ADMIN)) {
            assertThat(Files.getPosixFilePermissions(directory.javaClient(account)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(Files.getPosixFilePermissions(directory.librdkafkaClient(account)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void shouldLetMonitoringPublish() throws Exception {
        write(Account.MONITORING, Topics.MONITORING_METRICS);
    }

    @Test
    void shouldTakeALoginThatWasMadeWhileItRuns() throws Exception {
        Account late = Account.connector("lab", "late");
        new Credentials(directory.credentials()).ensure(late);

        assertThat(topics(standalone.connection(late).kafka())).isEmpty();
    }

    private static void assertRefused(Map<String, Object> stranger) {
        assertThatThrownBy(() -> topics(stranger)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> write(stranger, Topics.REQUESTS)).isInstanceOf(ExecutionException.class);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(stranger, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition("weir.jobs", 0);
            assertThatThrownBy(() -> consumer.endOffsets(List.of(partition), Duration.ofSeconds(2)))
                    .isInstanceOf(org.apache.kafka.common.KafkaException.class);
        }
    }

    private static Map<String, Object> client(Map<String, String> login) {
        Map<String, Object> client = new HashMap<>(quick());
        client.putAll(login);
        client.put("bootstrap.servers", standalone.endpoints().bootstrapServers());
        return client;
    }

    /** Nobody waits for what will not come. */
    private static Map<String, Object> quick() {
        return Map.of("default.api.timeout.ms", 3_000, "request.timeout.ms", 2_000, "max.block.ms", 3_000);
    }

    private static List<String> topics(Map<String, Object> client) throws Exception {
        try (Admin admin = Admin.create(client)) {
            return List.copyOf(admin.listTopics().names().get());
        }
    }

    private static void quorum(Map<String, Object> client) throws Exception {
        try (Admin admin = Admin.create(client)) {
            admin.describeMetadataQuorum().quorumInfo().get();
        }
    }

    private static void write(Account account, Topic<?> topic) throws Exception {
        write(standalone.connection(account).kafka(), topic);
    }

    private static void write(Map<String, Object> client, Topic<?> topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(NAMES.full(topic), KEY, new byte[] {1}))
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static int asNobody(String... command) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor();
    }
}
