package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.TaskShare;
import org.junit.jupiter.api.Test;

class HeldSharesTest {
    private final HeldShares held = new HeldShares();
    private final TaskShare first = new TaskShare(1, 0, 2);
    private final TaskShare second = new TaskShare(2, 0, 1);
    private final TaskShare third = new TaskShare(1, 1, 4);

    @Test
    void shouldFindSharesByNode() {
        held.add(first);
        held.add(second);
        assertThat(held.at(1)).containsExactly(first);
        held.add(third);

        assertThat(held.at(1)).containsExactly(first, third);
        assertThat(held.at(3)).isEmpty();
        assertThat(held.all()).containsExactly(first, second, third);
    }

    @Test
    void shouldForgetTheLastWhetherAskedForOrNot() {
        held.add(first);
        assertThat(held.at(1)).containsExactly(first);
        held.add(third);
        assertThat(held.removeLast()).isEqualTo(third);
        assertThat(held.at(1)).containsExactly(first);
        assertThat(held.removeLast()).isEqualTo(first);
        assertThat(held.at(1)).isEmpty();
        assertThat(held.isEmpty()).isTrue();
    }
}
