package io.weir.rm.runtime.fact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class KafkaFactLogTest {
    @Test
    void shouldSendAFactAtOnceUnlessFactsAreWrittenTogether() {
        assertThat(KafkaFactLog.settings(Map.of(), "c1", false)).containsEntry(ProducerConfig.LINGER_MS_CONFIG, 0);
        assertThat(KafkaFactLog.settings(Map.of(), "c1", true))
                .hasEntrySatisfying(
                        ProducerConfig.LINGER_MS_CONFIG,
                        millis -> assertThat((Integer) millis).isPositive());
    }

    @Test
    void shouldLeaveTheLingerToTheSite() {
        Map<String, Object> own = Map.of(ProducerConfig.LINGER_MS_CONFIG, 3);

        assertThat(KafkaFactLog.settings(own, "c1", true)).containsEntry(ProducerConfig.LINGER_MS_CONFIG, 3);
    }

    @Test
    void shouldNotLetTheSiteLoseFacts() {
        Map<String, Object> own =
                Map.of(ProducerConfig.ACKS_CONFIG, "0", ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);

        assertThat(KafkaFactLog.settings(own, "c1", false))
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    }
}
