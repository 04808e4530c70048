package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.service.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class ConnectorConfigTest {
    private static final List<ResourceManagerProvider> PROVIDERS =
            ServiceLoader.load(ResourceManagerProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private static final Map<String, String> LEAST = Map.of(
            "kafka.bootstrap.servers",
            "localhost:9092",
            "registry.url",
            "mock://c",
            "cluster",
            "c1",
            "rm.type",
            "simulated");

    @Test
    void shouldHaveDefaults() {
        ConnectorConfig config = read(Map.of());

        assertThat(config.runner()).isEqualTo(new RunnerConfig("c1", "rm", Duration.ofSeconds(1), Backoff.DEFAULT));
        assertThat(config.names().prefix()).isEqualTo("weir.");
        assertThat(config.dataDirectory()).isEqualTo(Path.of("rm-connector-data"));
        assertThat(config.rmSettings()).containsEntry("nodes", "16").containsEntry("trace", "");
    }

    @Test
    void shouldReadEverySetting() {
        ConnectorConfig config = read(Map.of(
                "connector.id", "left",
                "connector.data.dir", "/var/lib/weir",
                "connector.poll.interval.ms", "250",
                "connector.retry.first.ms", "10",
                "connector.retry.longest.ms", "20",
                "topics.prefix", "x.",
                "rm.simulated.nodes", "3"));

        assertThat(config.runner())
                .isEqualTo(new RunnerConfig(
                        "c1",
                        "left",
                        Duration.ofMillis(250),
                        new Backoff(Duration.ofMillis(10), Duration.ofMillis(20))));
        assertThat(config.names().prefix()).isEqualTo("x.");
        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/weir"));
        assertThat(config.rmSettings()).containsEntry("nodes", "3");
    }

    @Test
    void shouldRefuseUnknownSettingsOfAResourceManager() {
        assertThatThrownBy(() -> read(Map.of("rm.simulated.node", "3")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rm.simulated.node");
    }

    @Test
    void shouldHaveItsTableInTheReadme() throws IOException {
        Path readme = Path.of("README.md");
        String[] parts = Files.readString(readme).split("<!-- settings -->\n", -1);

        assertThat(parts).as("README.md has the table between two marks").hasSize(3);
        assertThat(parts[1]).as("paste this table into README.md:\n%s", table()).isEqualTo(table());
    }

    private static String table() {
        Map<String, ConfigDef.ConfigKey> own =
                new TreeMap<>(ConnectorConfig.definition(PROVIDERS).configKeys());
        ServiceConfig.baseDefinition().names().forEach(own::remove);
        own.keySet().removeIf(key -> key.startsWith("topics."));
        return own.values().stream()
                .map(key -> "| `" + key.name + "` | "
                        + (key.hasDefault() ? "`" + key.defaultValue + "`" : "required") + " | " + key.documentation
                        + " |\n")
                .collect(Collectors.joining("", "| key | default | meaning |\n|---|---|---|\n", ""))
                .replace("``", "empty");
    }

    private static ConnectorConfig read(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(LEAST);
        all.putAll(settings);
        ServiceConfig config = ServiceConfig.of(ConnectorConfig.definition(PROVIDERS), all);
        return ConnectorConfig.from(config, PROVIDERS.get(0));
    }
}
