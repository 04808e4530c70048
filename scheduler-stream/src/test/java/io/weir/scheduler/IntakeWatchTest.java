package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class IntakeWatchTest {
    private static final TopicPartition P0 = new TopicPartition("weir.rm.heartbeats", 0);

    private long now;
    private final IntakeWatch watch = new IntakeWatch("weir.rm.heartbeats", "weir-scheduler", () -> now);

    @Test
    void shouldTellOfHeartbeatsThatNobodyTakesIn() {
        for (int look = 0; look <= 6; look++) {
            watch.take(Map.of(P0, 258L), Map.of(P0, 300L + look));
            assertThat(watch.obstacle().isPresent()).isEqualTo(look == 6);
            pass(15);
        }

        assertThat(watch.obstacle())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("48 heartbeats wait on weir.rm.heartbeats-0 from offset 258 on", "quota"));

        watch.take(Map.of(P0, 259L), Map.of(P0, 307L));
        assertThat(watch.obstacle()).isEmpty();
    }

    @Test
    void shouldBeContentWithABacklogThatIsBeingTakenIn() {
        for (int look = 0; look < 20; look++) {
            watch.take(Map.of(P0, 10L + look), Map.of(P0, 5_000L));
            pass(15);
        }

        assertThat(watch.obstacle()).isEmpty();
    }

    @Test
    void shouldBeContentWhereNoConnectorSaysAnything() {
        for (int look = 0; look < 20; look++) {
            watch.take(Map.of(P0, 300L), Map.of(P0, 300L));
            pass(15);
        }

        assertThat(watch.obstacle()).isEmpty();
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }
}
