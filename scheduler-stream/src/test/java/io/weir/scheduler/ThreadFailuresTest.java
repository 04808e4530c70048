package io.weir.scheduler;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadFailuresTest {
    private Instant now = Instant.EPOCH;
    private final List<Throwable> stopped = new ArrayList<>();
    private final ThreadFailures failures = new ThreadFailures(() -> now, stopped::add);

    @Test
    void shouldReplaceAThreadThatDiedOnceInAWhile() {
        for (int i = 0; i < 8; i++) {
            now = now.plus(Duration.ofMinutes(1));
            assertThat(failures.handle(new IllegalStateException("now and then")))
                    .isEqualTo(REPLACE_THREAD);
        }
        assertThat(stopped).isEmpty();
    }

    @Test
    void shouldStopWhenThreadsDieInARow() {
        IllegalStateException always = new IllegalStateException("always");
        for (int i = 0; i < 5; i++) {
            assertThat(failures.handle(always)).isEqualTo(REPLACE_THREAD);
        }

        assertThat(failures.handle(always)).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(stopped).containsExactly(always);
    }

    @Test
    void shouldGoOnForAsLongAsSomethingIsAway() {
        for (int i = 0; i < 8; i++) {
            assertThat(failures.handle(new StreamsException(new TimeoutException("broker"))))
                    .isEqualTo(REPLACE_THREAD);
        }
    }

    @Test
    void shouldStopAtOnceForALostPositionOrAMissingRight() {
        Throwable lost = new OffsetOutOfRangeException(Map.of(new TopicPartition("weir.rm.jobs", 0), 7L));

        assertThat(failures.handle(new StreamsException(lost))).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(failures.handle(new StreamsException(new TopicAuthorizationException("weir.journal"))))
                .isEqualTo(SHUTDOWN_CLIENT);
        assertThat(stopped).hasSize(2);
        assertThat(stopped.get(0)).hasMessageContaining("--reset-offsets");
    }
}
