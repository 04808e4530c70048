package io.weir.command.bench;

import io.weir.command.launcher.LogFiles;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Positive;
import io.weir.command.terminal.Terminal;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.bench.BareLatency;
import io.weir.standalone.bench.BenchSite;
import io.weir.standalone.bench.LatencyBench;
import io.weir.standalone.bench.LatencyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench latency}: from a submission to its start command, exactly once, under a steady rate of facts. */
@Command(
        name = "latency",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the time from a job's submission to its committed start command.",
            "",
            "Broker and scheduler run in this process, with exactly-once processing, under the wall clock and",
            "a steady rate of facts."
        },
        footer = {"", "Example: weir bench latency --facts-per-second 1000 --seconds 30 --overload 8000"})
final class BenchLatencyCommand implements Callable<Integer> {
    @Option(
            names = "--facts-per-second",
            converter = Positive.Count.class,
            paramLabel = "R",
            defaultValue = "1000",
            description = "Rate of facts; every job is four of them (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "30",
            description = "How long to measure (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "20",
            description = "How long to run before measuring (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "500",
            description = "Nodes, of four processors each (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--jobs-waiting",
            paramLabel = "Q",
            defaultValue = "0",
            description = "Jobs that wait in the queue all the time, each needing more processors than are idle; every "
                    + "other node is busy then (default: ${DEFAULT-VALUE}).")
    private int jobsWaiting;

    @Option(
            names = "--measured-per-second",
            paramLabel = "M",
            defaultValue = "0",
            description =
                    "How many nodes a second report another load and other free memory, besides --facts-per-second "
                            + "(default: ${DEFAULT-VALUE}).")
    private int measuredPerSecond;

    @Option(
            names = "--overload",
            paramLabel = "R",
            description = "Then offer R facts per second for --overload-seconds, go back to --facts-per-second for "
                    + "--seconds, and report how long it took until jobs started as fast as before.")
    private int overload;

    @Option(
            names = "--overload-seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "How long the overload lasts (default: ${DEFAULT-VALUE}).")
    private int overloadSeconds;

    @Option(
            names = "--bare",
            description = "Then measure as many records a second through a stream that only stores and forwards them, "
                    + "exactly once: what of the time is Kafka's on this machine.")
    private boolean bare;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting of the services other than clusters and clock.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--data", paramLabel = "DIR", description = "Where topics are kept (default: a new directory).")
    private @Nullable Path data;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(Map.of("clusters", LatencyBench.CLUSTER, "clock", "wall"));
        if (set.keySet().stream().anyMatch(settings::containsKey)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--set " + set + ": clusters and clock are the measurement's own; leave them out");
        }
        settings.putAll(set);
        DataDirectory directory = new DataDirectory(data == null ? Files.createTempDirectory("weir-bench-") : data);
        directory.prepare();
        LogFiles.open(directory.logs(), "bench");
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Starting broker and scheduler, then measuring for " + (warmUp + seconds) + " s …");
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), settings);
        try (Standalone standalone = Standalone.start(config, EnumSet.of(Component.BROKER, Component.SCHEDULER));
                LatencyBench bench = new LatencyBench(
                        standalone.connection(Account.ADMIN), new BenchSite(nodes, jobsWaiting, measuredPerSecond))) {
            LatencyReport usual = bench.run(rate, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
            terminal.clear();
            print("", usual);
            if (overload > 0) {
                terminal.status("Offering " + overload + " facts/s for " + overloadSeconds + " s …");
                LatencyReport overloaded = bench.run(overload, Duration.ZERO, Duration.ofSeconds(overloadSeconds));
                terminal.clear();
                print("overload: ", overloaded);
                LatencyReport after = bench.run(rate, Duration.ZERO, Duration.ofSeconds(seconds));
                print("after it: ", after);
                printCalm(usual.max(), after.calmAfterSeconds(usual.max()));
            }
            if (usual.starts() == 0) {
                return ExitCode.FAILED;
            }
        }
        if (bare) {
            measureBare(config, terminal);
        }
        return ExitCode.FINE;
    }

    private void measureBare(StandaloneConfig config, Terminal terminal) {
        terminal.status("Measuring a stream that decides nothing for " + (warmUp + seconds) + " s …");
        try (Standalone standalone = Standalone.start(config, EnumSet.of(Component.BROKER));
                BareLatency latency = new BareLatency(
                        standalone.connection(Account.ADMIN),
                        config.directory().logs().resolveSibling("bare"))) {
            LatencyReport report = latency.run(rate, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
            terminal.clear();
            print("bare stream: ", report, "records: in to out");
        }
    }

    private void printCalm(double millis, OptionalDouble after) {
        String when = after.isPresent()
                ? String.format(Locale.ROOT, "again %.1f s after the overload", after.getAsDouble())
                : "not yet " + seconds + " s after the overload";
        spec.commandLine()
                .getOut()
                .printf(Locale.ROOT, "jobs start within %.0f ms (the longest before) %s%n", millis, when);
    }

    private void print(String when, LatencyReport report) {
        print(when, report, "starts: submission to start command");
    }

    private void print(String when, LatencyReport report, String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%s%.0f facts/s, %d %s p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms; %s%n",
                when,
                report.factsPerSecond(),
                report.starts(),
                what,
                report.p50(),
                report.p90(),
                report.p99(),
                report.max(),
                report.use().text(report.facts()));
        out.flush();
    }
}
