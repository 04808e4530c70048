package io.weir.scheduler.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TaskResourcesTest {
    @Test
    void shouldLeaveOutGenericResourcesOfWhichNoneIsAskedFor() {
        TaskResources none = new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("matlab", 0L)));
        TaskResources some = new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("matlab", 0L, "gpus", 2L)));

        assertThat(none).isEqualTo(TaskResources.ofProcs(1));
        assertThat(none.procsOnly()).isTrue();
        assertThat(some.gres()).containsExactly(Map.entry("gpus", 2L));
    }
}
