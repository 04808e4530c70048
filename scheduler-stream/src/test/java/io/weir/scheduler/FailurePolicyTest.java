package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.StreamRestartException;
import io.weir.scheduler.stream.UnlistedClusterException;
import io.weir.scheduler.stream.store.UnreadableStateException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {
    private Instant now = Instant.EPOCH;
    private final FailurePolicy policy = new FailurePolicy(() -> now, "scheduler-1");

    @Test
    void shouldStartAgainAfterAFailureOnceInAWhile() {
        for (int i = 0; i < 20; i++) {
            now = now.plus(Duration.ofMinutes(1));
            assertThat(policy.judge(new IllegalStateException("now and then"))).isEmpty();
        }
    }

    @Test
    void shouldEndTheServiceWhenFailuresComeInARow() {
        IllegalStateException always = new IllegalStateException("always");
        for (int i = 0; i < 5; i++) {
            assertThat(policy.judge(always)).isEmpty();
        }

        assertThat(policy.judge(always)).contains(always);
    }

    @Test
    void shouldSayWhatToDoWhenTheStoredStateCannotBeUsed() {
        Throwable damaged = new StreamsException(new ProcessorStateException(
                "Error opening store entities at location /state/weir-scheduler/0_0/rocksdb"));
        for (int i = 0; i < 5; i++) {
            assertThat(policy.judge(damaged)).isEmpty();
        }

        assertThat(policy.judge(damaged))
                .hasValueSatisfying(end -> assertThat(end)
                        .hasMessageContaining("state.dir")
                        .hasMessageContaining("remove the directory named after application.id")
                        .hasCause(damaged));
    }

    @Test
    void shouldStartAgainForAsLongAsSomethingIsAwayOrARestartIsAskedFor() {
        for (int i = 0; i < 100; i++) {
            assertThat(policy.judge(new StreamsException(new TimeoutException("broker"))))
                    .isEmpty();
            assertThat(policy.judge(new StreamsException(new StreamRestartException("0_0", null))))
                    .isEmpty();
        }
    }

    @Test
    void shouldStartAgainForAsLongAsTheLoginIsRefused() {
        for (int i = 0; i < 100; i++) {
            assertThat(policy.judge(new StreamsException(new SaslAuthenticationException("invalid credentials"))))
                    .isEmpty();
        }
    }

    @Test
    void shouldEndTheServiceAtOnceForALostPositionAMissingRightOrStateItCannotGoOnFrom() {
        Throwable lost = new OffsetOutOfRangeException(Map.of(new TopicPartition("weir.rm.jobs", 0), 7L));
        Throwable state = new StreamsException(new UnreadableStateException("'alpha/JOB/17'", null));
        Throwable unlisted = new StreamsException(
                new UnlistedClusterException(new TreeSet<>(List.of("c1")), new TreeSet<>(List.of("c2"))));
        Throwable right = new StreamsException(new TopicAuthorizationException("weir.journal"));

        assertThat(policy.judge(new StreamsException(lost)))
                .hasValueSatisfying(end -> assertThat(end).hasMessageContaining("--reset-offsets"));
        assertThat(policy.judge(right)).contains(right);
        assertThat(policy.judge(state)).contains(state);
        assertThat(policy.judge(unlisted)).contains(unlisted);
    }

    @Test
    void shouldEndTheServiceWhenAnotherInstanceHasItsName() {
        Throwable fenced = new StreamsException(new FencedInstanceIdException("registered with a different member.id"));

        assertThat(policy.judge(fenced))
                .hasValueSatisfying(end -> assertThat(end).hasMessageContaining("instance.id 'scheduler-1'"));
    }
}
