package io.weir.command.bench;

import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Terminal;
import io.weir.scheduler.bench.IterationBench;
import io.weir.scheduler.bench.MixedCluster;
import io.weir.scheduler.bench.QuestionBench;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench questions}: what requests add to an iteration on a full cluster with a long queue. */
@Command(
        name = "questions",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the time that the most expensive requests add to a scheduling iteration.",
            "",
            "Compares it with what their budget counts for them, on a full cluster of different nodes with a",
            "long queue and without a broker."
        },
        footer = {"", "Example: weir bench questions --nodes 10000 --jobs 100000"})
final class BenchQuestionsCommand implements Callable<Integer> {
    @Mixin
    private final BenchedSize size = new BenchedSize();

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "5",
            description = "Number of measured repetitions of each request (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (size.nodes < 1 || size.jobs < 200 || rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--nodes and --rounds are at least 1, --jobs at least 200");
        }
        MixedCluster cluster = new MixedCluster(size.nodes);
        String policy = "RESERVATIONDEPTH 1\nNODECFG[DEFAULT] ENABLEPROFILING=TRUE\n" + QuestionBench.FAILURE_SERVICE;
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Filling " + size.nodes + " nodes, then asking …");
        var costs = new QuestionBench(new IterationBench(cluster, size.jobs, policy, 1)).run(rounds);
        terminal.clear();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%-44s %9s %9s %9s %9s%n", "request", "ms p50", "ms max", "looks", "ns/look");
        costs.forEach(cost -> out.println(cost.text()));
        out.flush();
        return ExitCode.FINE;
    }
}
