package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class HealthSettingsTest {
    private static final EnumSet<Component> ALL = EnumSet.allOf(Component.class);

    @Test
    void shouldGiveServicesOfOneProcessPortsThatFollowOneAnother() {
        HealthSettings health = new HealthSettings(Map.of("health.port", "24096"));

        assertThat(health.of(Component.SCHEDULER, ALL)).isEqualTo(Map.of("health.port", "24096"));
        assertThat(health.of(Component.REDUCTION, ALL)).isEqualTo(Map.of("health.port", "24097"));
        assertThat(health.of(Component.CONNECTOR, ALL)).isEqualTo(Map.of("health.port", "24098"));
        assertThat(health.of(Component.NOTIFIER, ALL)).isEqualTo(Map.of("health.port", "24099"));
        assertThat(health.of(Component.MONITORING, ALL)).isEqualTo(Map.of("health.port", "24100"));
        assertThat(health.of(Component.CONNECTOR, EnumSet.of(Component.CONNECTOR)))
                .as("alone in its process")
                .isEqualTo(Map.of("health.port", "24096"));
    }

    @Test
    void shouldGiveAServiceWhatIsSaidOfItAlone() {
        HealthSettings health = new HealthSettings(Map.of(
                "health.port", "24096",
                "scheduler.health.port", "9100",
                "connector.health.host", "10.0.0.1"));

        assertThat(health.of(Component.SCHEDULER, ALL)).isEqualTo(Map.of("health.port", "9100"));
        assertThat(health.of(Component.REDUCTION, ALL)).isEqualTo(Map.of("health.port", "24096"));
        assertThat(health.of(Component.CONNECTOR, ALL))
                .isEqualTo(Map.of("health.port", "24097", "health.host", "10.0.0.1"));
    }

    @Test
    void shouldLeaveFreePortsToTheServices() {
        assertThat(new HealthSettings(Map.of("health.port", "0")).of(Component.NOTIFIER, ALL))
                .isEmpty();
        assertThat(new HealthSettings(Map.of()).of(Component.NOTIFIER, ALL)).isEmpty();
    }

    @Test
    void shouldRefuseWhatNoServiceCanTake() {
        assertThatThrownBy(() -> new HealthSettings(Map.of("conector.health.port", "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'conector.health.port'")
                .hasMessageContaining("[scheduler, reduction, connector, notifier, monitoring]");
        assertThatThrownBy(() -> new HealthSettings(Map.of("health.port", "65535")).of(Component.REDUCTION, ALL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no port for the reduction");
    }
}
