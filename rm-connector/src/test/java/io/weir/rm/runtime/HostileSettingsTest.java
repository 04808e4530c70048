package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmException;
import io.weir.service.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every setting of a connector and of every kind of resource manager with values at and beyond what it may be: it is refused
 * as a setting, or the connector can open with it, poll, wait and wait again after failures.
 */
class HostileSettingsTest {
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "x",
            "0",
            "1",
            "-1",
            "10",
            "1.5",
            "NaN",
            "Infinity",
            "-Infinity",
            "1e308",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "9".repeat(40),
            "true",
            "a,,b",
            "/nowhere/at/all",
            "/dev/null",
            "/proc/self/mem",
            "a\nb",
            "a\0b",
            "\uD800",
            "${x}",
            "unix:",
            "unix:\uD800",
            "http://",
            "http://h:99999/",
            "http://h:-1/",
            "http://[::1",
            "exec://",
            "exec:///bin/true \"",
            "file:///\uD800",
            "file://relative",
            "RMCFG[",
            "RMCFG[x] =",
            "RMCFG[x] TIMEOUT=99999999999999999999 ENV==;=",
            "RMCFG[x] CLUSTERQUERYURL=exec:///bin/true RMCFG[y]",
            "00:00:00:00:00",
            "v0.0.99999999999",
            "h:99999",
            "x".repeat(70_000));

    private static final Map<String, String> LEAST = Map.ofEntries(
            Map.entry("kafka.bootstrap.servers", "localhost:9092"),
            Map.entry("registry.url", "mock://c"),
            Map.entry("cluster", "c1"),
            Map.entry("rm.simulated.generated.jobs", "3"),
            Map.entry("rm.simulated.clock", "scaled"),
            Map.entry("rm.slurm.rest.url", "unix:/nowhere"),
            Map.entry("rm.slurm.commands", "false"),
            Map.entry("rm.slurm.request.timeout.ms", "100"),
            Map.entry("rm.native.cluster.query.url", "file:///dev/null"),
            Map.entry("rm.native.workload.query.url", "file:///dev/null"));

    /** More failures in a row than anybody waits for. */
    private static final int MANY = 100;

    private static final List<ResourceManagerProvider> PROVIDERS =
            ServiceLoader.load(ResourceManagerProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    @TempDir
    Path directory;

    @Test
    void shouldTakeOrRefuseEveryValueOfEverySetting() throws IOException {
        List<String> faults = new ArrayList<>();
        int taken = 0;
        for (ResourceManagerProvider provider : PROVIDERS) {
            for (String key : keys(provider)) {
                for (String value : VALUES) {
                    try {
                        connect(provider, key, value, Files.createTempDirectory(directory, "c"));
                        taken++;
                    } catch (ConfigException | RmException e) {
                        assertThat(e.getMessage())
                                .as("%s %s", provider.type(), key)
                                .isNotBlank();
                    } catch (RuntimeException | AssertionError e) {
                        faults.add(provider.type() + " " + key + "=" + shown(value) + ": " + shown(e.toString()));
                    }
                }
            }
        }

        assertThat(faults).isEmpty();
        assertThat(taken).as("values taken").isGreaterThan(300);
    }

    /** Returns the keys of {@code provider}; the first one's have those of the connector itself among them. */
    private static List<String> keys(ResourceManagerProvider provider) {
        return ConnectorConfig.definition(PROVIDERS).names().stream()
                .filter(key -> key.startsWith("rm.")
                        ? key.startsWith("rm." + provider.type() + ".")
                        : provider.equals(PROVIDERS.get(0)))
                .sorted()
                .toList();
    }

    private static void connect(ResourceManagerProvider provider, String key, String value, Path own) {
        Map<String, String> given = new HashMap<>(LEAST);
        given.put("rm.type", provider.type());
        given.put(key, value);
        ConnectorConfig config =
                ConnectorConfig.from(ServiceConfig.of(ConnectorConfig.definition(PROVIDERS), given), provider);
        for (int failures = 1; failures <= MANY; failures++) {
            assertThat(config.runner().retry().pause(failures).toNanos()).isPositive();
        }
        assertThat(config.runner().pollInterval().toNanos()).isPositive();
        if (!key.startsWith("rm.")) {
            return;
        }
        RmContext context =
                new RmContext(config.runner().cluster(), config.runner().connector(), own, config.rmSettings());
        try (ResourceManager rm = provider.open(context)) {
            rm.now();
            rm.poll();
        }
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return plain.length() < 160 ? plain : plain.substring(0, 160) + "...";
    }
}
