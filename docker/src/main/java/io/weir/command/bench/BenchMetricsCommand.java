package io.weir.command.bench;

import io.weir.command.launcher.LogFiles;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Positive;
import io.weir.command.terminal.Terminal;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.bench.BenchSite;
import io.weir.standalone.bench.GroupProgress;
import io.weir.standalone.bench.LatencyBench;
import io.weir.standalone.bench.LatencyReport;
import io.weir.standalone.bench.MetricLoad;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench metrics}: what metrics of nodes at a high rate cost those who wait for a job's start. */
@Command(
        name = "metrics",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how much a steady rate of node metrics delays the start of jobs.",
            "",
            "Measures the time from a job's submission to its committed start command without metrics and with",
            "them, and how far the reduction falls behind. Broker, scheduler, reduction and both loads run in",
            "this process."
        },
        footer = {"", "Example: weir bench metrics --metrics-per-second 50000 --seconds 60"})
final class BenchMetricsCommand implements Callable<Integer> {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration CATCH_UP = Duration.ofSeconds(30);

    /** By then what takes in metrics is compiled, too. */
    private static final int SETTLE_SECONDS = 30;

    @Option(
            names = "--metrics-per-second",
            converter = Positive.Count.class,
            paramLabel = "R",
            defaultValue = "50000",
            description = "Rate of metrics (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--facts-per-second",
            converter = Positive.Count.class,
            paramLabel = "R",
            defaultValue = "100",
            description = "Rate of the scheduler's own facts; every job is four of them (default: ${DEFAULT-VALUE}).")
    private int facts;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "How long to measure, without metrics and with them (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "30",
            description = "How long to run before measuring (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        DataDirectory directory = new DataDirectory(Files.createTempDirectory("weir-bench-"));
        directory.prepare();
        LogFiles.open(directory.logs(), "bench");
        Terminal terminal = Terminal.ofProcess();
        terminal.status(
                "Starting broker, scheduler and reduction, then measuring for " + (warmUp + 2 * seconds) + " s …");
        StandaloneConfig config = new StandaloneConfig(
                directory, 0, 0, Map.of(), Map.of("clusters", LatencyBench.CLUSTER, "clock", "wall"));
        PrintWriter out = spec.commandLine().getOut();
        try (Standalone standalone = Standalone.start(
                        config, EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.REDUCTION));
                LatencyBench bench = new LatencyBench(standalone.connection(Account.ADMIN), BenchSite.USUAL);
                GroupProgress reduction = new GroupProgress(
                        standalone.connection(Account.ADMIN),
                        NAMES.prefix() + "reduction",
                        NAMES.full(Topics.MONITORING_METRICS))) {
            new PolicyPublisher(standalone.connection(Account.ADMIN), NAMES)
                    .publish(
                            LatencyBench.CLUSTER,
                            "GEVENTCFG[temp>" + MetricLoad.HOT + "] ACTION=notify HYSTERESIS=5 SMOOTHING=10",
                            "bench");
            LatencyReport idle = bench.run(facts, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
            terminal.clear();
            print(out, "without metrics", idle);
            MetricLoad load = new MetricLoad(standalone.connection(Account.ADMIN), rate);
            LatencyReport loaded;
            try (load) {
                loaded = bench.run(facts, Duration.ofSeconds(SETTLE_SECONDS), Duration.ofSeconds(seconds));
            }
            long behind = load.acknowledged() - reduction.taken();
            long began = System.nanoTime();
            boolean caughtUp = reduction.await(load.acknowledged(), CATCH_UP);
            print(
                    out,
                    String.format(Locale.ROOT, "with %d metrics/s", load.acknowledged() / (seconds + SETTLE_SECONDS)),
                    loaded);
            out.printf(
                    Locale.ROOT,
                    "%d metrics published, %d taken in; %d behind at the end, none after %.1f s%n",
                    load.acknowledged(),
                    reduction.taken(),
                    behind,
                    (System.nanoTime() - began) / 1e9);
            out.flush();
            return caughtUp && loaded.starts() > 0 ? ExitCode.FINE : ExitCode.FAILED;
        }
    }

    private static void print(PrintWriter out, String when, LatencyReport report) {
        out.printf(
                Locale.ROOT,
                "%s: %d starts, submission to start command p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms%n",
                when,
                report.starts(),
                report.p50(),
                report.p90(),
                report.p99(),
                report.max());
        out.flush();
    }
}
