package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.ServiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitoringConfigTest {
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "x",
            "0",
            "-1",
            "65535",
            "65536",
            "9".repeat(40),
            "NaN",
            "true",
            ",",
            "a,,b",
            "a,a",
            ":",
            "a:",
            ":influx",
            "a:b:c",
            "=",
            "=x",
            "x=",
            "*",
            "**",
            "a*b=c",
            "a/b",
            "a\u0000b",
            "a\nb",
            "\uD800",
            "(a+)+$",
            "/nowhere/at/all",
            "${x}",
            "x".repeat(70_000));

    @Test
    void shouldTakeOrRefuseEveryValueOfEverySetting() {
        List<String> faults = new ArrayList<>();
        int taken = 0;
        for (String key : MonitoringConfig.definition().names()) {
            for (String value : VALUES) {
                try {
                    read(Map.of(key, value));
                    taken++;
                } catch (ConfigException e) {
                    assertThat(e).as(key).hasMessageContaining(key);
                } catch (RuntimeException e) {
                    faults.add(key + "=" + value.substring(0, Math.min(20, value.length())) + ": " + e);
                }
            }
        }

        assertThat(faults).isEmpty();
        assertThat(taken).isGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource({
        "cluster, a/b",
        "cluster, ' '",
        "source.topics, not a topic",
        "source.topics, 'metrics:influx,metrics:ldms'",
        "source.topics, metrics:morse"
    })
    void shouldRefuseWhatWouldNeverWork(String key, String value) {
        assertThatThrownBy(() -> read(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
    }

    private static MonitoringConfig read(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "kafka.bootstrap.servers",
                "127.0.0.1:9",
                "registry.url",
                "mock://test",
                MonitoringConfig.CLUSTER,
                "c",
                MonitoringConfig.TOPICS,
                "metrics"));
        settings.putAll(more);
        return MonitoringConfig.from(ServiceConfig.of(MonitoringConfig.definition(), settings));
    }
}
