package io.weir.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code weir simulate --compare}: each configuration has the figures that it has alone. */
class PolicyComparisonTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path trace = Path.of("");
    private Path blocked = Path.of("");
    private Path deep = Path.of("");

    /** Wide jobs that wait behind long narrow ones, with short ones between: backfill makes a difference. */
    @BeforeEach
    void write() throws IOException {
        List<String> lines = new ArrayList<>(List.of("; UnixStartTime: 0"));
        for (int i = 0; i < 120; i++) {
            int procs = i % 3 == 0 ? 7 : 1 + i % 2;
            int seconds = i % 3 == 1 ? 900 : 100 + i;
            lines.add((i + 1) + " " + 40 * i + " -1 " + seconds + " " + procs + " -1 -1 " + procs + " " + 2 * seconds
                    + " -1 1 1 1 -1 1 -1 -1 -1");
        }
        trace = Files.write(directory.resolve("t.swf"), lines);
        blocked = Files.writeString(directory.resolve("none.cfg"), "BACKFILLPOLICY NONE\n");
        deep = Files.writeString(directory.resolve("deep.cfg"), "RESERVATIONDEPTH 50\n");
    }

    private int simulate(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--trace", trace.toString(), "--nodes", "8", "--procs-per-node", "1"));
        arguments.addAll(List.of(more));
        out.getBuffer().setLength(0);
        return new CommandLine(new SimulateCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
    }

    private JsonNode figures(Path json, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of("--json", json.toString()));
        assertThat(simulate(arguments.toArray(String[]::new))).isZero();
        return new ObjectMapper().readTree(json.toFile());
    }

    @Test
    void shouldGiveEachConfigurationTheFiguresThatItHasAlone() throws IOException {
        JsonNode together =
                figures(directory.resolve("all.json"), "--compare", blocked.toString(), "--compare", deep.toString());

        assertThat(together.fieldNames())
                .toIterable()
                .containsExactly("(default)", blocked.toString(), deep.toString());
        for (Path alone : List.of(blocked, deep)) {
            JsonNode figures = figures(directory.resolve("one.json"), "--config", alone.toString());
            for (String name :
                    List.of("jobs", "meanWaitSeconds", "meanBoundedSlowdown", "makespanSeconds", "iterations")) {
                assertThat(together.path(alone.toString()).get(name)).as(name).isEqualTo(figures.get(name));
            }
        }
        assertThat(together.path(blocked.toString()).path("meanWaitSeconds").asDouble())
                .as("without backfill")
                .isGreaterThan(
                        together.path("(default)").path("meanWaitSeconds").asDouble());
    }

    @Test
    void shouldPrintALineForEachInTheOrderNamed() {
        assertThat(simulate("--config", deep.toString(), "--compare", blocked.toString()))
                .isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("configuration").contains("mean wait s", "utilisation");
        assertThat(lines.get(1)).startsWith(deep.toString()).contains(" 120 ");
        assertThat(lines.get(2)).startsWith(blocked.toString()).contains(" 120 ");
    }

    @Test
    void shouldRefuseWhatCannotBeCompared() {
        assertThat(simulate("--compare", deep.toString(), "--compare", deep.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--compare " + deep + ": named twice");
        assertThat(simulate("--compare", deep.toString(), "--out", "x.csv")).isEqualTo(2);
        assertThat(err.toString()).contains("--out x.csv: not with --compare");
        assertThat(simulate("--compare", deep.toString(), "--failures", "mtbf=1d,mttr=1h"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--compare: not with --failures");
    }
}
