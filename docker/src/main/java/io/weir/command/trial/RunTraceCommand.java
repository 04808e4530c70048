package io.weir.command.trial;

import io.weir.command.launcher.LogFiles;
import io.weir.command.launcher.StopOnSignal;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Terminal;
import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.scheduler.cli.TraceOptions;
import io.weir.scheduler.cli.TraceReport;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Standalone;
import io.weir.standalone.TraceRun;
import io.weir.trace.RunSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir run-trace}: a trace through Kafka and all services, in virtual time. */
@Command(
        name = "run-trace",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a workload trace through Kafka and all services, in virtual time, in lock step.",
            "",
            "The start times come from the record of the simulated resource manager and equal those of weir",
            "simulate to the second. The topics stay in --data; audit them with weir replay --verify --data",
            "DIR. An interrupted run continues when it is started again on the same directory."
        },
        footer = {
            "",
            "Example: weir run-trace --trace KTH-SP2.swf.gz --nodes 100 --procs-per-node 1 --jobs 2000 --data run1",
            "",
            "Exit codes: 0 fine, 1 the run failed or the record shows something impossible, 2 bad usage or",
            "input."
        })
public final class RunTraceCommand implements Callable<Integer> {
    private static final int MOST_SHOWN = 20;
    private static final long STATUS_MILLIS = 500;

    @Mixin
    private TraceOptions options = new TraceOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data directory (default: a new one, printed at the end).")
    private @Nullable Path data;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the services.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final AtomicLong polls = new AtomicLong();
    private final AtomicLong firstPoll = new AtomicLong(System.nanoTime());
    private final AtomicReference<@Nullable Progress> progress = new AtomicReference<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        TraceRun run = TraceRuns.chosen(options, spec);
        DataDirectory directory = new DataDirectory(data == null ? Files.createTempDirectory("weir-run-trace-") : data);
        directory.prepare();
        String log = LogFiles.open(directory.logs(), "run-trace");
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Starting broker, scheduler and connector …");
        AtomicReference<@Nullable Standalone> started = new AtomicReference<>();
        StopOnSignal.install(
                started::get, "stopped before all jobs had ended; there is no result. Topics: " + directory.root());
        double seconds;
        boolean healthy;
        try (Standalone standalone = run.start(directory, set, listener())) {
            started.set(standalone);
            while (!standalone.awaitStopRequest(STATUS_MILLIS)) {
                show(terminal);
            }
            seconds = seconds();
            healthy = standalone.isHealthy();
        }
        terminal.clear();
        if (!healthy) {
            err.println("weir: a service failed; see " + log);
            return ExitCode.FAILED;
        }
        return conclude(directory, seconds, err);
    }

    private int conclude(DataDirectory directory, double seconds, PrintWriter err) throws IOException {
        LedgerReport report = TraceRun.report(directory);
        report.problems().stream().limit(MOST_SHOWN).forEach(problem -> err.println("impossible: " + problem));
        report.unfinished().stream().limit(MOST_SHOWN).forEach(job -> err.println("not ended: job " + job));
        RunSummary summary = RunSummary.of(report.runs(), options.cluster().processors());
        PrintWriter out = spec.commandLine().getOut();
        new TraceReport(report.runs(), summary, polls.get(), seconds).publish(options, out);
        out.println("topics                " + directory.root());
        out.flush();
        return report.isComplete() ? ExitCode.FINE : ExitCode.FAILED;
    }

    private RunnerListener listener() {
        return new RunnerListener() {
            @Override
            public void polled(PublishedPoll poll, Instant rmTime, @Nullable Progress reached) {
                if (polls.getAndIncrement() == 0) {
                    firstPoll.set(System.nanoTime());
                }
                progress.set(reached);
            }
        };
    }

    /** Time since the first poll: what it takes to start is not the run's. */
    private double seconds() {
        return (System.nanoTime() - firstPoll.get()) / 1e9;
    }

    private void show(Terminal terminal) {
        Progress reached = progress.get();
        if (reached != null) {
            terminal.status(String.format(
                    Locale.ROOT,
                    "%d of %d jobs ended, %d iterations, %.0f/s",
                    reached.ended(),
                    reached.total(),
                    polls.get(),
                    polls.get() / seconds()));
        }
    }
}
