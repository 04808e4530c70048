package io.weir.scheduler.stream.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.store.TestStores;
import io.weir.topics.RegistryUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DelayedInputsTest {
    private static final Instant T0 = Instant.parse("2026-03-01T10:00:00Z");

    private final TestStores kept = new TestStores(OutputLimits.none());
    private final DelayedInputs delayed = new DelayedInputs("alpha", kept.stores);

    @Test
    void shouldAskAgainWhenThePauseIsOver() {
        delayed.add(input(1, 3), 5);
        assertThat(delayed.due(T0)).as("nobody found the registry away").isNotNull();
        delayed.retryAfter(T0);

        assertThat(delayed.due(T0.plusMillis(249))).isNull();
        assertThat(delayed.due(T0.plusMillis(250))).isNotNull();
    }

    @Test
    void shouldHandOutInputsInTheirOrderWithTheHeartbeatsSeenBeforeThem() {
        delayed.add(input(1, 3), 5);
        delayed.add(input(2, 3), 6);
        delayed.removeFirst();

        DelayedInputs.Delayed next = Objects.requireNonNull(delayed.due(T0));
        assertThat(next.number()).isEqualTo(2);
        assertThat(next.input()).hasToString("rm.jobs-0@2");
        assertThat(next.heartbeatOffset()).isEqualTo(6);
        assertThat(delayed.size()).isEqualTo(1);
        assertThat(delayed.isEmpty()).isFalse();
        assertThat(stored()).extracting(DelayedInput::getNumber).containsExactly(2L);
    }

    @Test
    void shouldHaveNothingDueWhenNothingWaits() {
        delayed.add(input(1, 3), 5);
        delayed.removeFirst();

        assertThat(delayed.due(T0)).isNull();
        assertThat(delayed.isEmpty()).isTrue();
        assertThat(kept.committed()).isEmpty();
    }

    @Test
    void shouldTakeNoMoreThanTwentyThousand() {
        for (int i = 0; i < DelayedInputs.MOST; i++) {
            delayed.add(input(i, 1), 0);
        }

        assertThatThrownBy(() -> delayed.add(input(7, 1), 0))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("Cluster 'alpha': 20000 inputs wait for the schema registry");
        delayed.removeFirst();
        delayed.add(input(7, 1), 0);
        assertThat(delayed.size()).isEqualTo(DelayedInputs.MOST);
    }

    @Test
    void shouldTakeNoMoreBytesThanThereIsRoomFor() {
        delayed.add(input(1, (int) DelayedInputs.MOST_BYTES - 2), 0);
        delayed.add(input(2, 2), 0);
        assertThatThrownBy(() -> delayed.add(input(3, 1), 0)).isInstanceOf(RegistryUnavailableException.class);

        delayed.removeFirst();

        delayed.add(input(3, (int) DelayedInputs.MOST_BYTES - 2), 0);
        assertThatThrownBy(() -> delayed.add(input(4, 1), 0)).isInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void shouldGoOnAfterARestart() {
        delayed.add(input(1, 3), 5);
        delayed.add(input(2, 3), 6);
        DelayedInputs restored = new DelayedInputs("alpha", kept.stores);
        stored().forEach(restored::restore);

        assertThat(restored.size()).isEqualTo(2);
        assertThat(Objects.requireNonNull(restored.due(T0)).heartbeatOffset()).isEqualTo(5);
        restored.add(input(3, 3), 7);
        assertThat(stored()).extracting(DelayedInput::getNumber).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldKeepInputsAsTheyCame() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("full", bytes("value"));
        headers.add("empty", null);
        delayed.add(new Input("rm.jobs", 3, 9, 77, headers, bytes("alpha/j1"), bytes("job")), 5);
        delayed.add(new Input("rm.jobs", 3, 10, 78, new RecordHeaders(), null, null), 5);

        List<Input> back = stored().stream()
                .map(input -> WaitingInputs.restore(input.getInput()))
                .toList();

        Input first = back.get(0);
        assertThat(first).hasToString("rm.jobs-3@9");
        assertThat(first.timestamp()).isEqualTo(77);
        assertThat(first.key()).isEqualTo(bytes("alpha/j1"));
        assertThat(first.value()).isEqualTo(bytes("job"));
        assertThat(first.headers()).isEqualTo(headers);
        assertThat(back.get(1).key()).isNull();
        assertThat(back.get(1).value()).isNull();
    }

    private List<DelayedInput> stored() {
        return kept.stores.load(List.of("alpha"), 0).of("alpha").delayed();
    }

    private static Input input(long offset, int bytes) {
        return new Input("rm.jobs", 0, offset, 1, new RecordHeaders(), new byte[0], new byte[bytes]);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
