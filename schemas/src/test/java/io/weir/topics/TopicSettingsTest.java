package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.service.ServiceConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class TopicSettingsTest {

    @Test
    void shouldDefaultToWhatSuitsASite() {
        assertThat(settings(Map.of()))
                .isEqualTo(new TopicSettings(
                        new TopicNames("weir."), TopicSettings.Mode.CREATE, 1, Optional.empty(), Map.of()));
    }

    @Test
    void shouldTakeEverySetting() {
        TopicSettings settings = settings(Map.of(
                "topics.prefix", "a.",
                "topics.mode", "VERIFY",
                "topics.partitions", "6",
                "topics.replication", "3",
                "topics.retention", "journal=P730D, decisions=PT12H,charges=forever"));

        assertThat(settings)
                .isEqualTo(new TopicSettings(
                        new TopicNames("a."),
                        TopicSettings.Mode.VERIFY,
                        6,
                        Optional.of((short) 3),
                        Map.of(
                                "journal", Optional.of(Duration.ofDays(730)),
                                "decisions", Optional.of(Duration.ofHours(12)),
                                "charges", Optional.empty())));
    }

    @Test
    void shouldPreferTheTopicsOwnRetentionToThatOfAll() {
        TopicSettings settings = settings(Map.of("topics.retention", "*=forever,journal=P2D"));

        assertThat(settings.retentionOf(Topics.JOURNAL)).contains(Duration.ofDays(2));
        assertThat(settings.retentionOf(Topics.RM_NODES)).isEmpty();
        assertThat(settings(Map.of()).retentionOf(Topics.RM_NODES)).contains(Duration.ofDays(7));
        assertThat(settings(Map.of("topics.retention", "*=P1D")).retentionOf(Topics.JOBS))
                .isEmpty();
    }

    @Test
    void shouldKeepChargesAndPoliciesForEver() {
        assertThat(settings(Map.of()).retentionOf(Topics.CHARGES)).isEmpty();
        assertThat(settings(Map.of()).retentionOf(Topics.POLICY)).isEmpty();
        assertThat(settings(Map.of("topics.retention", "charges=P3650D")).retentionOf(Topics.CHARGES))
                .contains(Duration.ofDays(3650));
    }

    @Test
    void shouldNameWhatItCannotUse() {
        assertRefused("topics.retention", "journal=2 days", "journal=2 days");
        assertRefused("topics.retention", "journals=P2D", "journals");
        assertRefused("topics.retention", "P2D", "P2D");
        assertRefused("topics.mode", "maybe", "maybe");
        assertRefused("topics.partitions", "0", "topics.partitions");
    }

    private static void assertRefused(String key, String value, String named) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> settings(Map.of(key, value)))
                .withMessageContaining(named);
    }

    private static TopicSettings settings(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kafka.bootstrap.servers", "localhost:9092");
        all.put("registry.url", "mock://settings");
        return TopicSettings.from(ServiceConfig.of(TopicSettings.define(ServiceConfig.baseDefinition()), all));
    }
}
