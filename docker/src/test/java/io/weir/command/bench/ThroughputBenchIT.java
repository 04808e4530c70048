package io.weir.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ThroughputBenchIT {
    private static final String FIGURES =
            ": [0-9]+ facts in [0-9.]+ s, [0-9]+ facts/s; [0-9.]+ processor seconds per 1,000 facts, .* % stolen, load [0-9.]+";

    private final StringWriter out = new StringWriter();

    @Test
    void shouldTakeInWhatWaitedByTheSchedulerAndByABareStream() {
        int exit = new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .execute("throughput", "--jobs", "2000", "--rounds", "2", "--nodes", "20");

        assertThat(exit).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).matches("scheduler, round 1" + FIGURES);
        assertThat(lines.get(1)).matches("scheduler, round 2" + FIGURES);
        assertThat(lines.get(2)).matches("bare stream" + FIGURES);
    }

    @Test
    void shouldRefuseToMeasureNothing() {
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new BenchCommand())
                .setErr(new PrintWriter(err, true))
                .execute("throughput", "--jobs", "0");

        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--jobs, --rounds and --nodes are at least 1");
    }
}
