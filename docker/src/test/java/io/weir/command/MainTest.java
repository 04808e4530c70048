package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldListTheCatalogue() {
        assertThat(run("topics", "--prefix", "site.")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("site.rm.jobs", "cluster/jobId", "JobReport", "latest per key", "for ever");
    }

    @Test
    void shouldSayWhichBuildItIs() {
        assertThat(run("version")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("commit").contains("Java " + Runtime.version());
    }

    @Test
    void shouldExplainEveryCommand() {
        for (String name : Main.commandLine().getSubcommands().keySet()) {
            assertThat(run(name, "--help")).as(name).isEqualTo(ExitCode.FINE);
            assertThat(run("help", name)).as("help " + name).isEqualTo(ExitCode.FINE);
        }
    }

    /** Lists of commands show the first line of each description. */
    @Test
    void shouldSumUpEveryCommandInASentence() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            assertThat(summary(command)).as(command.getCommandName()).endsWith(".");
            for (CommandLine below : command.getSubcommands().values()) {
                assertThat(summary(below)).as(below.getCommandName()).endsWith(".");
            }
        }
    }

    /** A line that is longer than the help is wide would go on in one of a few words; examples of a command may be. */
    @Test
    void shouldBreakTheLinesOfAParagraphWhereTheHelpEnds() {
        shouldFit(Main.commandLine());
    }

    private static void shouldFit(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        assertThat(Stream.of(usage.header(), usage.description(), usage.footer())
                        .flatMap(Stream::of))
                .as(command.getCommandSpec().qualifiedName())
                .allMatch(
                        line -> line.startsWith(" ") || line.startsWith("Example: ") || line.length() < usage.width());
        command.getCommandSpec()
                .options()
                .forEach(option -> assertThat(option.description())
                        .as(option.longestName())
                        .hasSizeLessThan(2));
        command.getSubcommands().values().forEach(MainTest::shouldFit);
    }

    private static String summary(CommandLine command) {
        String[] header = command.getCommandSpec().usageMessage().header();
        return header.length > 0
                ? header[0]
                : command.getCommandSpec().usageMessage().description()[0];
    }

    @Test
    void shouldMeetBadUsageWithCodeTwo() {
        assertThat(run()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("nonsense")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("topics", "--format", "xml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("simulate", "--trace", "/nowhere.swf", "--nodes", "1", "--procs-per-node", "1"))
                .isEqualTo(ExitCode.BAD_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --nodes 0",
                "demo --load -1",
                "demo --scale NaN",
                "loop --seeds 0",
                "loop --at-once 0",
                "loop --troubled-seconds -3",
                "loop --failures 0",
                "bench latency --facts-per-second 0",
                "bench metrics --metrics-per-second x"
            })
    void shouldRefuseNumbersThatMakeNoSense(String words) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.BAD_INPUT);
        String option = words.replaceAll(".*(--\\S+).*", "$1");
        assertThat(err.toString()).contains(option).contains("above 0");
    }

    @ParameterizedTest
    @CsvSource({
        "simulate, --failure-policies HOLD, 'give --failures'",
        "simulate, --failures mtbf=1d;mttr=1h --failure-policies BOGUS, there is no policy 'BOGUS'",
        "simulate, --failures mtbf=1d;mttr=1h --out x.csv, '--out: not with --failures'",
        "simulate, --failures mtbf=1d;mttr=1h --json x.json, '--json: not with --failures'",
        "simulate, --failures mtbf=1d;mttr=1h --repeat 2, '--repeat: not with --failures'",
        "simulate, --out /nowhere/x.csv, 'there is no directory /nowhere'",
        "simulate, --out /, 'it is a directory'",
        "simulate, --json /nowhere/x.json, 'there is no directory /nowhere'",
        "run-trace, --out /nowhere/x.csv, 'there is no directory /nowhere'",
        "crash-drill, --kill scheduler=-1, 'scheduler=-1: it cannot be less than 0'",
        "crash-drill, --kill notifier=1, 'a drill runs broker'",
        "crash-drill, --out x.csv, 'a drill writes neither'"
    })
    void shouldRefuseTraceOptionsThatWouldDoNothingBeforeTheRun(String command, String options, String message) {
        String line = command + " --trace src/test/resources/traces/small.swf --nodes 8 --procs-per-node 8 "
                + options.replace(';', ',');

        assertThat(run(line.split(" "))).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldDrillInAnEmptyDirectoryAlone(@TempDir Path directory) throws IOException {
        Files.createFile(directory.resolve("something"));

        assertThat(run(
                        "crash-drill",
                        "--trace",
                        "src/test/resources/traces/small.swf",
                        "--nodes",
                        "8",
                        "--procs-per-node",
                        "8",
                        "--data",
                        directory.toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("a new or an empty directory");
    }

    @Test
    void shouldSimulateFailuresUnderThePoliciesNamed() {
        String line = "simulate --trace src/test/resources/traces/small.swf --nodes 8 --procs-per-node 8 --jobs 20"
                + " --failures mtbf=1d,mttr=1h --failure-policies hold,REQUEUE*";

        assertThat(run(line.split(" "))).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines().skip(1))
                .extracting(row -> row.split(" ", 2)[0])
                .containsExactly("HOLD", "REQUEUE*");
    }

    @Test
    void shouldRefuseWordsThatTheLocaleSpoilt() {
        assertThat(Main.run("mnodectl", "-m", "message=gr\uFFFD\uFFFDe", "n2")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config check /nowhere/site.cfg",
                "simulate --trace /nowhere/a.swf --nodes 1 --procs-per-node 1",
                "run-trace --trace /nowhere/a.swf --nodes 1 --procs-per-node 1",
                "bench iteration --nodes 1 --jobs 1 --config /nowhere/site.cfg",
                "policy --cluster c /nowhere/site.cfg",
                "mdiag -C /nowhere/site.cfg"
            })
    void shouldSayNoMoreThanThatAFileCannotBeRead(String words) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString()).contains("/nowhere").doesNotContain("Usage");
    }

    @Test
    void shouldSayHowACommandLineShouldLook() {
        assertThat(run("showq", "--nonsense")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString().lines())
                .containsExactly(
                        "Usage: weir showq [OPTIONS]; see weir showq --help", "weir: Unknown option: '--nonsense'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"mrsvctl -c -h n1 --nonsense", "mjobctl --nonsense 1", "acls --nonsense", "replay --nonsense"})
    void shouldSayWhatIsWrongLastBelowAShortUsage(String words) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString().lines()).hasSize(2).last().asString().startsWith("weir: ");
    }

    @Test
    void shouldSuggestWhatIsSpelledAlike() {
        assertThat(run("shoq")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString().lines().toList()).last().asString().contains("did you mean", "showq");
    }

    @Test
    void shouldMakeEachCommandByItsName() {
        for (String name : Commands.NAMES) {
            Object made = Commands.make(name);
            CommandLine command = made instanceof CommandLine line ? line : new CommandLine(made);
            assertThat(command.getCommandName()).isEqualTo(name);
        }
    }

    @Test
    void shouldSayWhereThereIsNothingToRead(@TempDir Path directory) {
        assertThat(run("showq", "--data", directory.toString())).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString()).contains(directory.toString()).contains("no topics");
    }

    @Test
    void shouldSayWhatHelpsWhereMemoryRunsOut() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        assertThat(Main.exhausted(new PrintStream(said, true, StandardCharsets.UTF_8)))
                .isEqualTo(ExitCode.FAILED);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .startsWith("weir: out of memory")
                .contains("WEIR_JAVA_OPTS=-Xmx");
    }

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
