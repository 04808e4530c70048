package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.standalone.DataDirectory;
import io.weir.standalone.Part;
import io.weir.standalone.TraceRun;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrillPlanTest {
    @Test
    void shouldKillEachPartAsOftenAsAskedInAnOrderTheSeedGives() {
        assertThat(plan(1).victims())
                .hasSize(5)
                .containsOnly(Part.SCHEDULER, Part.CONNECTOR)
                .isEqualTo(plan(1).victims());
        assertThat(plan(1).victims().stream().filter(Part.SCHEDULER::equals)).hasSize(2);
    }

    private static DrillPlan plan(long seed) {
        return new DrillPlan(
                new TraceRun(Path.of("none.swf"), 1, 1, 0, 1, ""),
                new DataDirectory(Path.of("none")),
                Map.of(Part.SCHEDULER, 2, Part.CONNECTOR, 3),
                seed);
    }
}
