package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TraceRun;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrillPlanTest {
    @Test
    void shouldKillEachPartAsOftenAsAskedInAnOrderTheSeedGives() {
        assertThat(plan(1).victims())
                .hasSize(5)
                .containsOnly(Component.SCHEDULER, Component.CONNECTOR)
                .isEqualTo(plan(1).victims());
        assertThat(plan(1).victims().stream().filter(Component.SCHEDULER::equals))
                .hasSize(2);
    }

    private static DrillPlan plan(long seed) {
        return new DrillPlan(
                new TraceRun(Path.of("none.swf"), 1, 1, 0, 1, ""),
                new DataDirectory(Path.of("none")),
                Map.of(Component.SCHEDULER, 2, Component.CONNECTOR, 3),
                seed);
    }
}
