package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TraceRun;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drill in the size of a build: one kill of each process. Set -Dweir.drill.seed to play one again. */
class CrashDrillIT {
    @TempDir
    Path directory;

    @Test
    void shouldEndAsIfNothingHadBeenKilled() throws Exception {
        long seed = Long.getLong("weir.drill.seed", new Random().nextInt(1_000_000));
        System.out.println("crash drill: -Dweir.drill.seed=" + seed);
        TraceRun run = new TraceRun(Path.of("src/test/resources/traces/small.swf"), 8, 8, 0, 240, "");
        DrillPlan plan = new DrillPlan(
                run,
                new DataDirectory(directory),
                Map.of(Component.SCHEDULER, 1, Component.CONNECTOR, 1, Component.BROKER, 1),
                seed);

        DrillReport report = new CrashDrill(plan, event -> System.out.println("crash drill: " + event)).run();

        assertThat(report.problems()).as("seed %d", seed).isEmpty();
        assertThat(report.kills()).containsOnlyKeys(Component.SCHEDULER, Component.CONNECTOR, Component.BROKER);
    }
}
