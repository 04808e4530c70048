package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestedHoldsTest {
    private final RequestedHolds holds = new RequestedHolds(Set.of("7", "8_3", "11"));

    @Test
    void shouldBeThoseOfSomebody() {
        assertThat(RequestedHolds.isRequested(List.of("USER"))).isTrue();
        assertThat(RequestedHolds.isRequested(List.of("BATCH", "SYSTEM"))).isTrue();
        assertThat(RequestedHolds.isRequested(List.of("BATCH"))).isFalse();
        assertThat(RequestedHolds.isRequested(List.of())).isFalse();
    }

    @Test
    void shouldKnowATaskOfAnArray() {
        assertThat(holds.contains("8_3")).isTrue();
        assertThat(holds.contains("8_30")).isFalse();
        assertThat(holds.contains("8_[1-4]")).isFalse();
    }

    @Test
    void shouldKnowAHeterogeneousJobByItsFirstComponent() {
        assertThat(holds.contains("11+0")).isTrue();
        assertThat(holds.contains("1")).isFalse();
    }
}
