package io.weir.command.bench;

import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Terminal;
import io.weir.scheduler.bench.FailureBench;
import io.weir.scheduler.bench.IterationBench;
import io.weir.scheduler.bench.MixedCluster;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench failures}: the iteration that answers the failure of one node, and of a rack at once. */
@Command(
        name = "failures",
        mixinStandardHelpOptions = true,
        description = {
            "Times the iteration that handles node failures on a full cluster with a long queue.",
            "",
            "The nodes differ. No node, one node, and a rack fail at once. Their jobs are requeued, and others",
            "start in the same iteration. Without a broker."
        },
        footer = {
            "",
            "Example: weir bench failures --nodes 1000 --jobs 10000 --rack 200",
            "",
            "Exit codes: 0 fine, 1 a job was started on a node that had failed, 2 bad usage."
        })
final class BenchFailuresCommand implements Callable<Integer> {
    @Mixin
    private final BenchedSize size = new BenchedSize();

    @Option(
            names = "--rack",
            paramLabel = "K",
            defaultValue = "200",
            description = "Nodes that fail at the same time (default: ${DEFAULT-VALUE}).")
    private int rack;

    @Option(
            names = "--depth",
            paramLabel = "D",
            defaultValue = "1",
            description = "Priority reservations (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "10",
            description = "Number of measured repetitions of each failure (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private SeedOption workload = new SeedOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (size.nodes < 1 || size.jobs < 1 || rounds < 1 || depth < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--nodes, --jobs and --rounds are at least 1, --depth at least 0");
        }
        if (rack < 1 || rack > size.nodes) {
            throw new ParameterException(spec.commandLine(), "--rack is 1 to the number of nodes, not " + rack);
        }
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Filling " + size.nodes + " nodes, then letting some of them fail …");
        IterationBench site = new IterationBench(
                new MixedCluster(size.nodes),
                size.jobs,
                "RESERVATIONDEPTH " + depth + "\n" + FailureBench.POLICY,
                workload.seed());
        List<FailureBench.Cost> costs = new FailureBench(site, size.nodes).run(rack, rounds);
        terminal.clear();
        PrintWriter out = spec.commandLine().getOut();
        out.println(FailureBench.Cost.head());
        costs.forEach(cost -> out.println(cost.text()));
        out.flush();
        return costs.stream().allMatch(cost -> cost.misplaced() == 0) ? ExitCode.FINE : ExitCode.FAILED;
    }
}
