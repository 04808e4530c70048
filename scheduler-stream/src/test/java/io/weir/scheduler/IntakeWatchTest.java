package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class IntakeWatchTest {
    private static final TopicPartition P0 = new TopicPartition("weir.rm.heartbeats", 0);

    private long now;
    private Set<TopicPartition> own = Set.of(P0);
    private final IntakeWatch watch = new IntakeWatch("weir.rm.heartbeats", "weir-scheduler", () -> own, () -> now);

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

    @Test
    void shouldCountOnlyWhileThisInstanceIsAtWorkOnThePartition() {
        own = Set.of();
        for (int look = 0; look < 40; look++) {
            watch.take(Map.of(P0, 258L), Map.of(P0, 300L));
            pass(15);
        }
        assertThat(watch.obstacle()).as("while the state is restored").isEmpty();

        own = Set.of(P0);
        for (int look = 0; look <= 6; look++) {
            watch.take(Map.of(P0, 258L), Map.of(P0, 300L));
            assertThat(watch.obstacle().isPresent()).isEqualTo(look == 6);
            pass(15);
        }
    }

    /** Who is held back may be taken for gone, and join again, over and over. */
    @Test
    void shouldNotBeginAnewWithEachRestartOfTheStream() {
        for (int look = 0; look < 20; look++) {
            own = look % 3 == 2 ? Set.of() : Set.of(P0);
            watch.take(Map.of(P0, 258L), Map.of(P0, 300L));
            pass(15);
        }

        assertThat(watch.obstacle()).hasValueSatisfying(said -> assertThat(said).contains("42 heartbeats wait"));
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }
}
