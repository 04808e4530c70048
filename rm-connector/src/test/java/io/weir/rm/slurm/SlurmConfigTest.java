package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.RmException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlurmConfigTest {

    @Test
    void shouldHaveDefaults() {
        SlurmConfig config = SlurmConfig.read(Map.of());

        assertThat(config.socket()).isEqualTo(Path.of("/run/slurmrestd/slurmrestd.sock"));
        assertThat(config.address()).isNull();
        assertThat(config.restVersion()).isNull();
        assertThat(config.commands()).isTrue();
        assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.startTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.endTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.fetchAllAbove()).isEqualTo(300);
        assertThat(config.reportLoad()).isTrue();
        assertThat(config.reportUsage()).isFalse();
    }

    @Test
    void shouldNameEverythingThatIsWrong() {
        assertThatThrownBy(() -> SlurmConfig.read(
                        Map.of("rest.url", "http://localhost:6820", "rest.version", "v0.0.12", "adress", "x")))
                .isInstanceOf(RmException.class)
                .hasMessageContaining("rm.slurm.adress is not a setting")
                .hasMessageContaining("rest.token.file is empty")
                .hasMessageContaining("v0.0.12");
        assertThatThrownBy(() -> SlurmConfig.read(Map.of("rest.url", "localhost")))
                .hasMessageContaining("neither unix:/path nor http(s)://host:port");
    }
}
