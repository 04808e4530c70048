package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceConfigTest {

    private static final ConfigDef DEFINITION = ServiceConfig.baseDefinition()
            .define("demo.interval.ms", Type.LONG, 500, Importance.LOW, "Time between polls.")
            .define("demo.enabled", Type.BOOLEAN, false, Importance.LOW, "Whether to poll.")
            .define("demo.hosts", Type.LIST, List.of(), Importance.LOW, "Whom to poll.")
            .define("demo.password", Type.PASSWORD, null, Importance.LOW, "What to say.");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "WEIR_FOO_BAR,foo.bar",
        "WEIR_KAFKA_SASL_JAAS_CONFIG,kafka.sasl.jaas.config",
        "WEIR_FOO__BAR_X,foo_bar.x",
        "WEIR_FOO,foo"
    })
    void shouldNameVariablesByOneRule(String variable, String key) {
        assertThat(ServiceConfig.keyOf(variable)).isEqualTo(key);
    }

    @Test
    void shouldReadTheFileAndLetTheEnvironmentOverride() throws IOException {
        Path file = file("""
                kafka.bootstrap.servers = broker:9092
                registry.url = http://registry:8081
                demo.interval.ms = 100
                demo.hosts = a, b
                """);

        ServiceConfig config = ServiceConfig.load(
                DEFINITION,
                Optional.of(file),
                Map.of("WEIR_DEMO_INTERVAL_MS", "200", "WEIR_DEMO_ENABLED", "true", "PATH", "/bin"));

        assertThat(config.number("demo.interval.ms")).isEqualTo(200);
        assertThat(config.flag("demo.enabled")).isTrue();
        assertThat(config.list("demo.hosts")).containsExactly("a", "b");
        assertThat(config.text("kafka.bootstrap.servers")).isEqualTo("broker:9092");
        assertThat(config.number("health.port")).isZero();
        assertThat(config.has("demo.password")).isFalse();
    }

    @Test
    void shouldPassKafkaPropertiesToTheClientsTheyAreFor() {
        ServiceConfig config = config(Map.of(
                "kafka.security.protocol", "SASL_SSL",
                "kafka.consumer.fetch.max.bytes", "1",
                "kafka.producer.linger.ms", "2",
                "kafka.admin.retries", "3",
                "kafka.streams.num.standby.replicas", "4",
                "kafka.consumer.client.id", "special"));

        assertThat(config.consumer())
                .isEqualTo(Map.of(
                        "bootstrap.servers", "broker:9092",
                        "security.protocol", "SASL_SSL",
                        "fetch.max.bytes", "1",
                        "client.id", "special"));
        assertThat(config.producer(1 << 20))
                .isEqualTo(Map.of(
                        "bootstrap.servers", "broker:9092",
                        "security.protocol", "SASL_SSL",
                        "linger.ms", "2",
                        "max.request.size", 1 << 20));
        assertThat(config.admin())
                .isEqualTo(Map.of("bootstrap.servers", "broker:9092", "security.protocol", "SASL_SSL", "retries", "3"));
        assertThat(config.streams())
                .isEqualTo(Map.of(
                        "bootstrap.servers", "broker:9092",
                        "security.protocol", "SASL_SSL",
                        "num.standby.replicas", "4",
                        "consumer.fetch.max.bytes", "1",
                        "consumer.client.id", "special",
                        "producer.linger.ms", "2",
                        "admin.retries", "3"));
    }

    @Test
    void shouldLetTheKindOfClientWinOverAllClients() {
        ServiceConfig config = config(Map.of("kafka.client.id", "all", "kafka.producer.client.id", "mine"));

        assertThat(config.producer(1 << 20)).containsEntry("client.id", "mine");
        assertThat(config.consumer()).containsEntry("client.id", "all");
    }

    @Test
    void shouldGiveAPartOfTheServiceItsOwnLogin() {
        ServiceConfig config = config(Map.of(
                "kafka.sasl.jaas.config", "all",
                "kafka.security.protocol", "SASL_SSL",
                "demo.kafka.sasl.jaas.config", "mine",
                "demo.kafka.producer.linger.ms", "7"));

        assertThat(config.ofPart("demo").producer(1 << 20))
                .containsAllEntriesOf(Map.of(
                        "bootstrap.servers", "broker:9092",
                        "security.protocol", "SASL_SSL",
                        "sasl.jaas.config", "mine",
                        "linger.ms", "7"));
        assertThat(config.producer(1 << 20))
                .containsEntry("sasl.jaas.config", "all")
                .doesNotContainKey("linger.ms");
        assertThat(config.toString()).doesNotContain("mine");
        assertThat(ServiceConfig.keyOf("WEIR_API_KAFKA_SASL_JAAS_CONFIG")).isEqualTo("api.kafka.sasl.jaas.config");
    }

    @Test
    void shouldPassRegistryPropertiesToTheRegistryClient() {
        ServiceConfig config = config(Map.of(
                "registry.basic.auth.credentials.source", "USER_INFO", "registry.basic.auth.user.info", "weir:geheim"));

        assertThat(config.registry())
                .isEqualTo(Map.of(
                        "schema.registry.url", "mock://config",
                        "basic.auth.credentials.source", "USER_INFO",
                        "basic.auth.user.info", "weir:geheim"));
    }

    @Test
    void shouldGiveTheRegistryClientItsTlsUnderTheNameItKnows() {
        ServiceConfig config = config(Map.of(
                "registry.ssl.truststore.location", "/etc/weir/ca.p12",
                "registry.ssl.truststore.type", "PKCS12",
                "registry.schema.registry.ssl.truststore.type", "JKS"));

        assertThat(config.registry())
                .isEqualTo(Map.of(
                        "schema.registry.url", "mock://config",
                        "schema.registry.ssl.truststore.location", "/etc/weir/ca.p12",
                        "schema.registry.ssl.truststore.type", "JKS"));
    }

    @Test
    void shouldTakeSecretsFromFiles() throws IOException {
        Path secrets = Files.createDirectory(directory.resolve("secrets"));
        Files.writeString(secrets.resolve("registry"), "weir:geheim");
        Path file = Files.writeString(directory.resolve("kafka.properties"), "trust=vertraulich\n");

        ServiceConfig config = config(Map.of(
                "registry.basic.auth.user.info", "${directory:" + secrets + ":registry}",
                "kafka.ssl.truststore.password", "${file:" + file + ":trust}",
                "demo.password", "${file:" + file + ":trust}"));

        assertThat(config.registry()).containsEntry("basic.auth.user.info", "weir:geheim");
        assertThat(config.consumer()).containsEntry("ssl.truststore.password", "vertraulich");
        assertThat(config.secret("demo.password").value()).isEqualTo("vertraulich");
    }

    @Test
    void shouldPrintNoSecret() {
        ServiceConfig config = config(Map.of(
                "demo.password", "geheim",
                "kafka.sasl.jaas.config", "password=geheim",
                "registry.basic.auth.user.info", "weir:geheim",
                "other.token", "geheim"));

        assertThat(config.toString())
                .doesNotContain("geheim")
                .contains("kafka.bootstrap.servers=broker:9092")
                .contains("kafka.sasl.jaas.config=[hidden]")
                .contains("demo.interval.ms=500");
    }

    @Test
    void shouldReportAllProblemsAtOnce() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServiceConfig.of(
                        DEFINITION,
                        Map.of("demo.interval.ms", "soon", "health.port", "99999", "demo.intervall.ms", "3")))
                .withMessageContaining("kafka.bootstrap.servers")
                .withMessageContaining("registry.url")
                .withMessageContaining("soon")
                .withMessageContaining("99999")
                .withMessageContaining("Unknown setting 'demo.intervall.ms'")
                .withMessageContaining("demo.interval.ms, demo.password");
    }

    @Test
    void shouldRefuseNullCharactersByTheNameOfTheirSetting() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServiceConfig.of(
                        DEFINITION,
                        Map.of(
                                "kafka.bootstrap.servers", "b:1",
                                "registry.url", "mock://x",
                                "health.host", "127.0.0.1\0.example")))
                .withMessageContaining("'health.host' holds a null character");
    }

    @Test
    void shouldLeaveKeysOfOtherServicesAlone() {
        assertThat(config(Map.of("other.key", "x")).has("other.key")).isFalse();
    }

    @Test
    void shouldNameTheFileItCannotRead() {
        Path missing = directory.resolve("missing.properties");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServiceConfig.load(DEFINITION, Optional.of(missing), Map.of()))
                .withMessageContaining(missing.toString());
    }

    /** A first name that holds the mark would be one of another service, and its value be left out without a word. */
    @Test
    void shouldReadWhatAWindowsEditorWrote() throws IOException {
        Path written =
                file("\uFEFFdemo.password=pss\r\nkafka.bootstrap.servers=broker:9092\r\nregistry.url=mock://x\r\n");

        ServiceConfig config = ServiceConfig.load(DEFINITION, Optional.of(written), Map.of());

        assertThat(config.has("demo.password")).isTrue();
    }

    @Test
    void shouldRefuseAKeyThatIsThereTwiceButForBlanks() throws IOException {
        Path twice = file("demo.password=a\ndemo.password\\ =b\n");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServiceConfig.load(DEFINITION, Optional.of(twice), Map.of()))
                .withMessageContaining("demo.password")
                .withMessageContaining("twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${file:%s:x}", "${directory:\0:x}", "${file:\0:x}"})
    void shouldSayWhichReferencesCannotBeRead(String reference) throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.properties"), "x=\\u00zz\n");
        String value = reference.replace("%s", bad.toString());

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> config(Map.of("demo.password", value)))
                .withMessageContaining("referenced file");
    }

    @Test
    void shouldRefuseKeysThatWereNotDeclared() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(Map.of()).text("demo.other"))
                .withMessageContaining("demo.other");
    }

    private static ServiceConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kafka.bootstrap.servers", "broker:9092");
        all.put("registry.url", "mock://config");
        return ServiceConfig.of(DEFINITION, all);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("weir.properties"), content);
    }
}
