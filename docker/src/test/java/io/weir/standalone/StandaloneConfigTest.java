package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandaloneConfigTest {
    private static final Connection EMBEDDED =
            new Connection(new Endpoints("127.0.0.1:1", "http://127.0.0.1:2"), Map.of());

    @Test
    void shouldKeepEverythingBelowItsDirectory() {
        assertThat(config(Map.of()).settings(EMBEDDED))
                .containsEntry("kafka.bootstrap.servers", "127.0.0.1:1")
                .containsEntry("state.dir", "/data/scheduler")
                .containsEntry("connector.data.dir", "/data/connector");
    }

    @Test
    void shouldLetTheUsersSettingsWin() {
        assertThat(config(Map.of("state.dir", "/fast", "cluster", "kth")).settings(EMBEDDED))
                .containsEntry("state.dir", "/fast")
                .containsEntry("cluster", "kth");
    }

    @Test
    void shouldUseABrokerOfTheSiteWhenBothAddressesAreGiven() {
        assertThat(config(Map.of("kafka.bootstrap.servers", "k:9092")).given()).isEmpty();
        assertThat(config(Map.of("kafka.bootstrap.servers", "k:9092", "registry.url", "http://r"))
                        .given())
                .hasValue(new Connection(new Endpoints("k:9092", "http://r"), Map.of()));
    }

    @Test
    void shouldTellWhichRegistryTheServicesUse() {
        Endpoints own = EMBEDDED.endpoints();

        assertThat(config(Map.of()).used(own)).isEqualTo(own);
        assertThat(config(Map.of("registry.url", "http://r")).used(own))
                .isEqualTo(new Endpoints(own.bootstrapServers(), "http://r"));
    }

    private static StandaloneConfig config(Map<String, String> chosen) {
        return new StandaloneConfig(new DataDirectory(Path.of("/data")), 0, 0, Map.of(), chosen);
    }
}
