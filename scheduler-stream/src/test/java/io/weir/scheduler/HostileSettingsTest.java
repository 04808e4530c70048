package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.Rewriting;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.service.ServiceConfig;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

/**
 * Every setting of the scheduler, its API and its topics with values at and beyond what it may be: it is refused as a
 * setting, or what is made of it can be used.
 */
class HostileSettingsTest {
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "x",
            "0",
            "1",
            "-1",
            "1.5",
            "NaN",
            "2147483647",
            "-2147483648",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "9".repeat(40),
            "true",
            ",",
            "a,,b",
            "a,a",
            "A,a",
            "*",
            "..",
            "../../x",
            "/",
            "/nowhere/at/all",
            "a\nb",
            "a\0b",
            "\uD800",
            "\u0007",
            "%",
            "${x}",
            "${file:/nowhere:x}",
            "${file:/proc/self/mem:x}",
            "${directory:\0:x}",
            "[::1",
            "h:99999",
            "h:1-0",
            "::1/129",
            "1.2.3.4/-1",
            "*.*",
            "x=/bin/true",
            "=/bin/true",
            "x=\uD800",
            "journal=P99999999999999D",
            "journal=PT9000000000000000S",
            "journal=-P1D",
            "*=forever",
            "journal",
            "x".repeat(300),
            "x".repeat(70_000));

    private static final Map<String, String> LEAST = Map.of(
            "kafka.bootstrap.servers", "127.0.0.1:9092",
            "registry.url", "mock://c",
            "clusters", "c1");

    @Test
    void shouldTakeOrRefuseEveryValueOfEverySetting() {
        List<String> faults = new ArrayList<>();
        int taken = 0;
        for (String key : SchedulerConfig.definition().names()) {
            if (key.equals("kafka.bootstrap.servers")) {
                continue; // Kafka's own client says what is wrong with these.
            }
            for (String value : VALUES) {
                Map<String, String> given = new HashMap<>(LEAST);
                given.put(key, value);
                try {
                    use(given);
                    taken++;
                } catch (ConfigException e) {
                    assertThat(e.getMessage()).as(key).isNotBlank();
                } catch (RuntimeException | AssertionError e) {
                    faults.add(key + "=" + shown(value) + ": " + shown(e.toString()));
                }
            }
        }

        assertThat(faults).isEmpty();
        assertThat(taken).as("values taken").isGreaterThan(200);
    }

    private static void use(Map<String, String> given) {
        SchedulerConfig config = new SchedulerConfig(ServiceConfig.of(SchedulerConfig.definition(), given));
        StreamSettings stream = config.stream(1, new Rewriting());
        Instant last = Instant.parse("2099-12-31T23:59:59Z");
        assertThat(last.plus(stream.maxSkew()).plus(stream.gapTimeout()).plus(stream.coalesce()))
                .isBefore(Instant.parse("2200-01-01T00:00:00Z"));
        assertThat(stream.clusters())
                .allMatch(name -> name.length() <= 256 && name.chars().noneMatch(Character::isISOControl));
        StreamsConfig properties = new StreamsConfig(config.streams());
        assertThat(properties.getLong(StreamsConfig.POLL_MS_CONFIG)).isNotNegative();
        assertThat(config.applicationId() + config.instanceId()).matches("[a-zA-Z0-9._-]+");
        assertThat(config.stateDir().resolve(config.applicationId()).normalize())
                .isEqualTo(config.stateDir().normalize().resolve(config.applicationId()));
        for (Topic<?> topic : Topics.all()) {
            assertThat(config.topics().names().full(topic)).hasSizeLessThan(250);
            assertThat(config.topics()
                            .retentionOf(topic)
                            .map(Duration::toMillis)
                            .orElse(1L))
                    .isPositive();
        }
        config.plugins(Map.of());
        config.api().ifPresent(api -> assertThat(api.timeout()).isPositive());
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return plain.length() < 160 ? plain : plain.substring(0, 160) + "...";
    }
}
