package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.monitoring.source.MonitoringService;
import io.weir.scheduler.SchedulerConfig;
import io.weir.service.ServiceConfig;
import io.weir.standalone.PropertiesFile;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.URIParameter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What the compose file opens to whom. */
class ComposeTest {
    private static final Path FILE = Path.of("compose/compose.yaml");

    @Test
    void shouldPublishOnTheLoopbackAddressOnly() throws IOException {
        Matcher ports = Pattern.compile("(?m)^ {4}ports:\\n((?: {6}- .*\\n)+)").matcher(Files.readString(FILE));
        int published = 0;
        while (ports.find()) {
            for (String port : ports.group(1).strip().split("\\n", -1)) {
                assertThat(port.strip()).startsWith("- \"127.0.0.1:");
                published++;
            }
        }
        assertThat(published).isGreaterThan(4);
    }

    @Test
    void shouldServeTheApiWithTokens() throws IOException {
        assertThat(Files.readString(FILE))
                .contains("WEIR_API_HOST: 0.0.0.0", "WEIR_API_PORT: \"8095\"", "- \"127.0.0.1:8095:8095\"")
                .contains("WEIR_NONSTOP_HOST: 0.0.0.0", "- \"127.0.0.1:6820:6820\"")
                .contains("WEIR_API_TOKENS_FILE: /var/lib/weir/api.tokens");
    }

    @Test
    void shouldMakeATokenOnce(@TempDir Path directory) throws Exception {
        run(script(), directory);
        List<String> tokens = Files.readAllLines(directory.resolve("api.tokens"));
        run(script(), directory);

        assertThat(Files.readAllLines(directory.resolve("api.tokens"))).isEqualTo(tokens);
        String token = Files.readString(directory.resolve("api.token")).strip();
        assertThat(token).matches("[0-9a-f]{48}");
        assertThat(tokens).containsExactly("operator " + token + " 1");
        assertThat(Files.getPosixFilePermissions(directory.resolve("api.tokens")))
                .as("who may read it")
                .hasSize(2);
    }

    @Test
    void shouldWantALoginOnEveryListener() throws IOException {
        Map<String, String> broker = environment("kafka");
        assertThat(broker.getOrDefault("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "")
                        .split(",", -1))
                .hasSize(broker.getOrDefault("KAFKA_LISTENERS", "").split(",", -1).length)
                .allMatch(listener -> listener.endsWith(":SASL_PLAINTEXT"));
        assertThat(broker)
                .containsEntry("KAFKA_AUTHORIZER_CLASS_NAME", StandardAuthorizer.class.getName())
                .containsEntry("KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND", "false")
                .containsEntry("KAFKA_SUPER_USERS", Account.BROKER.principal() + ";" + Account.ADMIN.principal());
        assertThat(environment("registry"))
                .containsEntry("SCHEMA_REGISTRY_AUTHENTICATION_METHOD", "BASIC")
                .containsEntry("SCHEMA_REGISTRY_KAFKASTORE_SECURITY_PROTOCOL", "SASL_PLAINTEXT");
        assertThat(Files.readString(FILE)).doesNotContainPattern("password *[:=] *[\"']?[A-Za-z0-9]");
    }

    @Test
    void shouldShowEachServiceItsOwnSecretsOnly() throws IOException {
        for (String service : List.of(
                "kafka", "registry", "scheduler", "reduction", "connector", "notifier", "monitoring", "setup")) {
            assertThat(volumes(service))
                    .as(service)
                    .filteredOn(volume -> volume.startsWith("secrets-"))
                    .containsExactly("secrets-" + service + ":/secrets:ro");
        }
        assertThat(volumes("access")).noneMatch(volume -> volume.startsWith("secrets-"));
    }

    /** After a restart of the machine everything comes back, and what is under way is brought to its end before a stop. */
    @Test
    void shouldRestartWhatServesAndLetItEndItsWork() throws IOException {
        for (String service :
                List.of("kafka", "registry", "scheduler", "reduction", "connector", "notifier", "monitoring")) {
            assertThat(service(service).get("restart")).as(service).isEqualTo("unless-stopped");
        }
        for (String service : List.of("kafka", "scheduler", "reduction", "connector", "notifier", "monitoring")) {
            assertThat(service(service).get("stop_grace_period")).as(service).isEqualTo("30s");
        }
    }

    @Test
    void shouldKeepTopicsInAVolume() throws IOException {
        assertThat(volumes("kafka")).contains("kafka:" + environment("kafka").get("KAFKA_LOG_DIRS"));
    }

    @Test
    void shouldMakePasswordsOnce(@TempDir Path directory) throws Exception {
        secrets(directory);
        Map<Path, String> first = contents(directory);
        secrets(directory);

        assertThat(contents(directory)).isEqualTo(first).hasSizeGreaterThan(10);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile))
                    .allMatch(file -> permissions(file).equals("rw-------"));
        }
        try (Stream<Path> parts = Files.list(directory)) {
            assertThat(parts).allMatch(part -> permissions(part).equals("rwx------"));
        }
    }

    /** What the broker and the registry know is what the others are given, and all accounts are there. */
    @Test
    void shouldGiveEveryAccountTheSamePasswordOnBothSides(@TempDir Path directory) throws Exception {
        secrets(directory);
        Map<String, ?> known = login(directory.resolve("kafka/jaas.conf"), "KafkaServer");
        Map<String, String> registry = PropertiesFile.read(directory.resolve("registry/passwords"));

        Set<String> granted = Stream.concat(
                        Grants.of(
                                new TopicNames("weir."), "weir-scheduler", List.of(new Grants.Connector("demo", "rm")))
                                .and(Grants.of(
                                        new TopicNames("weir."),
                                        new Grants.Source("demo", "monitoring", List.of("telegraf"))))
                                .accounts()
                                .keySet()
                                .stream(),
                        Stream.of(Account.BROKER, Account.ADMIN, Account.REGISTRY))
                .map(Account::name)
                .collect(Collectors.toSet());
        assertThat(granted).allSatisfy(account -> {
            assertThat(known.get("user_" + account)).asString().matches("[0-9a-f]{48}");
            assertThat(registry.get(account)).matches("[0-9a-f]{48},user");
        });
        assertThat(Set.copyOf(known.values())).as("passwords").hasSize(granted.size() + 1);

        Map<String, ?> ofRegistry = login(directory.resolve("registry/jaas.conf"), "KafkaClient");
        assertThat(ofRegistry.get("password")).isEqualTo(known.get("user_weir-registry"));
        for (String service : List.of("scheduler", "reduction", "connector", "notifier", "monitoring")) {
            Map<String, String> own = PropertiesFile.read(directory.resolve(service + "/weir.properties"));
            String account = own.getOrDefault("registry", "").split(":", -1)[0];
            assertThat(own.get("registry") + ",user").isEqualTo(account + ":" + registry.get(account));
            assertThat(own.get("kafka"))
                    .contains("username=\"" + account + "\" password=\"" + known.get("user_" + account) + "\"");
        }
    }

    @Test
    void shouldStartTheSchedulerWithALoginOfItsOwnForTheApi(@TempDir Path directory) throws Exception {
        secrets(directory);
        Map<String, String> variables = new HashMap<>();
        environment("scheduler")
                .forEach((name, value) ->
                        variables.put(name, value.replace("$$", "$").replace("/secrets/", directory + "/scheduler/")));

        ServiceConfig config = ServiceConfig.load(SchedulerConfig.definition(), Optional.empty(), variables);

        assertThat(config.producer(1 << 20).get("sasl.jaas.config")).asString().contains("weir-scheduler");
        assertThat(config.ofPart("api").producer(1 << 20).get("sasl.jaas.config"))
                .asString()
                .contains("\"weir-api\"");
        assertThat(config.registry().get("basic.auth.user.info")).asString().startsWith("weir-scheduler:");
        assertThat(config.text("topics.mode")).isEqualTo("verify");
    }

    /** It starts from what the file says, and may do what "setup" grants it. */
    @Test
    void shouldStartTheMonitoringSourceWithItsOwnToken(@TempDir Path directory) throws Exception {
        secrets(directory);
        Map<String, String> variables = new HashMap<>();
        environment("monitoring")
                .forEach((name, value) ->
                        variables.put(name, value.replace("$$", "$").replace("/secrets/", directory + "/monitoring/")));

        ServiceConfig config = ServiceConfig.load(new MonitoringService().definition(), Optional.empty(), variables);

        assertThat(config.consumer().get("sasl.jaas.config"))
                .asString()
                .contains("weir-monitoring-source.demo.monitoring");
        assertThat(Path.of(config.text("source.http.token.file"))).content().matches("[0-9a-f]{48}");
        assertThat(Files.readString(FILE))
                .contains("--monitoring-source demo/monitoring=" + String.join(",", config.list("source.topics")))
                .contains("--foreign " + String.join(",", config.list("source.topics")));
    }

    private static Map<String, ?> login(Path file, String section) throws Exception {
        AppConfigurationEntry[] entries = Configuration.getInstance("JavaLoginConfig", new URIParameter(file.toUri()))
                .getAppConfigurationEntry(section);
        assertThat(entries).hasSize(1);
        return entries[0].getOptions();
    }

    private static void secrets(Path directory) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "compose/secrets.sh", directory.toString())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
    }

    private static Map<Path, String> contents(Path directory) throws IOException {
        Map<Path, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(directory.relativize(file), Files.readString(file));
            }
        }
        return contents;
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> environment(String service) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        part(service(service), "environment")
                .forEach((name, value) -> environment.put(String.valueOf(name), String.valueOf(value)));
        return environment;
    }

    private static List<String> volumes(String service) throws IOException {
        if (service(service).get("volumes") instanceof List<?> volumes) {
            return volumes.stream().map(String::valueOf).toList();
        }
        throw new AssertionError(service + " has no volumes");
    }

    private static Map<?, ?> service(String name) throws IOException {
        Map<?, ?> file = new Yaml().load(Files.readString(FILE));
        return part(part(file, "services"), name);
    }

    private static Map<?, ?> part(Map<?, ?> whole, String name) {
        if (whole.get(name) instanceof Map<?, ?> part) {
            return part;
        }
        throw new AssertionError("there is no " + name);
    }

    /** The command of the service that makes the token, as the shell gets it. */
    private static String script() throws IOException {
        Matcher block = Pattern.compile("(?m)^ {4}command:\\n {6}- \\|\\n((?: {8}.*\\n)+)")
                .matcher(Files.readString(FILE));
        assertThat(block.find()).isTrue();
        return block.group(1).replace("$$", "$");
    }

    private static void run(String script, Path directory) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-euc", script)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
    }
}
