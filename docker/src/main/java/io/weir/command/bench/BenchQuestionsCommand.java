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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench questions}: what requests add to an iteration on a full cluster with a long queue. */
@Command(
        name = "questions",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what the dearest requests add to a scheduling iteration, and what their budget takes them to",
            "cost, on a full cluster of unlike nodes with a long queue and without a broker."
        },
        footer = {"", "Example: weir bench questions --nodes 10000 --jobs 100000"})
final class BenchQuestionsCommand implements Callable<Integer> {
    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Nodes of the cluster (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--jobs",
            paramLabel = "M",
            defaultValue = "10000",
            description = "Jobs that wait (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "5",
            description = "How often each request is made and counted (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (nodes < 1 || jobs < 200 || rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--nodes and --rounds are at least 1, --jobs at least 200");
        }
        MixedCluster cluster = new MixedCluster(nodes);
        String policy = "RESERVATIONDEPTH 1\nNODECFG[DEFAULT] ENABLEPROFILING=TRUE\n" + cluster.reserved(0);
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Filling " + nodes + " nodes, then asking …");
        var costs = new QuestionBench(new IterationBench(cluster, jobs, policy, 1)).run(rounds);
        terminal.clear();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%-44s %9s %9s %9s %9s%n", "request", "ms p50", "ms max", "looks", "ns/look");
        costs.forEach(cost -> out.println(cost.text()));
        out.flush();
        return ExitCode.FINE;
    }
}
