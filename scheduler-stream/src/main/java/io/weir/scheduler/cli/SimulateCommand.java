package io.weir.scheduler.cli;

import io.weir.scheduler.plugin.PluginPrograms;
import io.weir.scheduler.plugin.Plugins;
import io.weir.scheduler.simulator.FailureFigures;
import io.weir.scheduler.simulator.FailureModel;
import io.weir.scheduler.simulator.FailureSimulation;
import io.weir.scheduler.simulator.Simulator;
import io.weir.trace.JobRun;
import io.weir.trace.RunSummary;
import io.weir.trace.SwfTrace;
import io.weir.trace.TraceJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir simulate}: a trace through the scheduling core alone, offline and in virtual time. */
@Command(
        name = "simulate",
        description = "Run a workload trace through the scheduling core, offline, in virtual time.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example: weir simulate --trace KTH-SP2.swf.gz --nodes 100 --procs-per-node 1 --out starts.csv",
            "",
            "Three configurations side by side:",
            "  weir simulate --trace KTH-SP2.swf.gz --nodes 100 --procs-per-node 1 --compare deep.cfg --compare fair.cfg",
            "",
            "The cost of node failures, by policy:",
            "  weir simulate --trace KTH-SP2.swf.gz --nodes 100 --procs-per-node 1 --failures mtbf=30d,mttr=4h",
            "",
            "Exit codes: 0 fine, 1 a job was lost, never started or started twice, or a replay differed, 2 bad",
            "usage or input."
        })
public final class SimulateCommand implements Callable<Integer> {
    /** Jobs that are named, of any number that never started. */
    private static final int TOLD = 20;

    @Mixin
    private final TraceOptions options = new TraceOptions();

    @Option(
            names = "--repeat",
            paramLabel = "R",
            defaultValue = "1",
            description = "Run R times and report the last run, to measure the speed once warm; default"
                    + " ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(
            names = "--plugin-program",
            paramLabel = "NAME=PATH",
            description = "A program that NODEALLOCPLUGIN[x] EXEC=NAME may start; no other is started. Repeatable.")
    private List<String> programs = new ArrayList<>();

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description =
                    "Run the trace under this configuration, too, and print a line of figures for each. Repeatable; "
                            + "the runs share the processors of this machine.")
    private List<Path> others = new ArrayList<>();

    @Mixin
    private final FailureOptions failures = new FailureOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            if (repeat < 1) {
                throw new IllegalArgumentException("--repeat " + repeat + ": at least once");
            }
            FailureModel model = failures.model();
            if (model != null) {
                refuseWithFailures();
            }
            SwfTrace trace = options.read(err);
            List<TraceJob> jobs = options.jobs(trace);
            String policy = options.policy(err);
            if (model != null) {
                return withFailures(jobs, trace.start(), policy, model, out);
            }
            if (!others.isEmpty()) {
                Map<String, TraceReport> reports =
                        compare(policy, text -> repeated(jobs, trace.start(), text), out, err);
                boolean never = false;
                for (Map.Entry<String, TraceReport> report : reports.entrySet()) {
                    never |= tellNeverStarted(jobs, report.getValue().runs(), "under " + report.getKey(), err);
                }
                return never ? 1 : 0;
            }
            TraceReport report = repeated(jobs, trace.start(), policy);
            report.publish(options, out);
            out.flush();
            return tellNeverStarted(jobs, report.runs(), "under this configuration", err) ? 1 : 0;
        } catch (IOException | IllegalArgumentException | ConfigException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** @throws IllegalArgumentException if an option is given that a simulation with failing nodes has no use for */
    private void refuseWithFailures() {
        for (String option : List.of("--compare", "--out", "--json", "--repeat", "--plugin-program")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(option + ": not with --failures");
            }
        }
    }

    /** Names the jobs that never started; returns whether there are any. */
    private static boolean tellNeverStarted(
            List<TraceJob> jobs, List<JobRun> runs, String circumstance, PrintWriter err) {
        if (runs.size() == jobs.size()) {
            return false;
        }
        Set<Long> ran = runs.stream().map(JobRun::sequence).collect(Collectors.toSet());
        List<String> never = jobs.stream()
                .filter(job -> !ran.contains(job.sequence()))
                .map(TraceJob::id)
                .toList();
        err.println(never.size() + " of " + jobs.size()
                + " jobs never started " + circumstance + ": "
                + String.join(", ", never.subList(0, Math.min(TOLD, never.size())))
                + (never.size() > TOLD ? " …" : ""));
        err.flush();
        return true;
    }

    private int withFailures(List<TraceJob> jobs, long epoch, String site, FailureModel model, PrintWriter out) {
        boolean sound = true;
        FailureOptions.printHead(out);
        for (String policy : failures.policies()) {
            FailureFigures figures = new FailureSimulation(options.cluster(), jobs, epoch, site, model, policy).run();
            FailureOptions.print(figures, out);
            out.flush();
            sound &= figures.isSound();
        }
        return sound ? 0 : 1;
    }

    private Map<String, TraceReport> compare(
            String first, Function<String, TraceReport> run, PrintWriter out, PrintWriter err) throws IOException {
        if (options.out() != null) {
            throw new IllegalArgumentException("--out " + options.out() + ": not with --compare; run that one alone");
        }
        PolicyComparison comparison = new PolicyComparison(Runtime.getRuntime().availableProcessors());
        comparison.add(options.config == null ? "" : options.config.toString(), first);
        for (Path other : others) {
            comparison.add(other.toString(), TraceOptions.policy(other, err));
        }
        Map<String, TraceReport> reports = comparison.run(run, out);
        if (options.json() != null) {
            TraceReport.writeJson(reports, options.json());
        }
        return reports;
    }

    private TraceReport repeated(List<TraceJob> jobs, long epoch, String policy) {
        TraceReport report = simulate(jobs, epoch, policy);
        for (int i = 1; i < repeat; i++) {
            report = simulate(jobs, epoch, policy);
        }
        return report;
    }

    private TraceReport simulate(List<TraceJob> jobs, long epoch, String policy) {
        long began = System.nanoTime();
        Plugins plugins = new Plugins(PluginPrograms.of(programs), System.getenv());
        Simulator simulator = new Simulator(options.cluster(), jobs, epoch, policy, plugins);
        List<JobRun> runs = simulator.run();
        double seconds = (System.nanoTime() - began) / 1e9;
        RunSummary summary = RunSummary.of(runs, options.cluster().processors());
        return new TraceReport(runs, summary, simulator.iterations(), seconds);
    }
}
