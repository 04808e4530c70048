package io.weir.command.bench;

import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Terminal;
import io.weir.scheduler.bench.DemandingWorkload;
import io.weir.scheduler.bench.IterationBench;
import io.weir.scheduler.bench.IterationReport;
import io.weir.scheduler.bench.MixedCluster;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.schemas.bound.Limit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench iteration}: whole scheduling iterations on a full mixed cluster, without a broker. */
@Command(
        name = "iteration",
        mixinStandardHelpOptions = true,
        description = {
            "Times scheduling iterations of the core on a full cluster with a long queue.",
            "",
            "The nodes differ. The first iteration follows a rebuild; before each of the others, some jobs end",
            "and as many arrive."
        },
        footer = {"", "Example: weir bench iteration --nodes 10000 --jobs 100000 --depth 1"})
final class BenchIterationCommand implements Callable<Integer> {
    @Mixin
    private final BenchedSize size = new BenchedSize();

    @Option(
            names = "--depth",
            paramLabel = "D",
            defaultValue = "1",
            description = "Priority reservations, a number or unlimited (default: ${DEFAULT-VALUE}).")
    private String depth = "1";

    @Option(names = "--config", paramLabel = "FILE", description = "Configuration to use besides the depth.")
    private @Nullable Path config;

    @Option(
            names = "--reserved",
            paramLabel = "P",
            defaultValue = "0",
            description = "Percentage of nodes that are reserved for every other user (default: ${DEFAULT-VALUE}).")
    private int reserved;

    @Option(
            names = "--reservations",
            paramLabel = "N",
            defaultValue = "0",
            description = "Reservations of a few nodes and users each; one more is made before each iteration (default:"
                    + " ${DEFAULT-VALUE}).")
    private int reservations;

    @Option(
            names = "--questions",
            paramLabel = "Q",
            defaultValue = "0",
            description = "Start time estimates that one user requests before each iteration (default:"
                    + " ${DEFAULT-VALUE}).")
    private int questions;

    @Option(
            names = "--demanding",
            paramLabel = "KIND",
            description = "Have one user submit as many jobs of many requirements as are taken in, ahead of all others:"
                    + " ${COMPLETION-CANDIDATES}.")
    private @Nullable DemandingWorkload demanding;

    @Option(
            names = "--requirements",
            paramLabel = "R",
            defaultValue = "64",
            description = "Requirements of each of these jobs (default: ${DEFAULT-VALUE}).")
    private int requirements;

    @Option(
            names = "--drained",
            paramLabel = "N",
            defaultValue = "0",
            description = "Nodes that are drained from the start (default: ${DEFAULT-VALUE}).")
    private int drained;

    @Option(
            names = "--due",
            paramLabel = "P",
            defaultValue = "0",
            description = "Percentage of jobs that state a deadline (default: ${DEFAULT-VALUE}).")
    private int due;

    @Option(
            names = "--fewest-nodes",
            description = "Have all jobs take as few nodes as will do, as Slurm's -n without -N.")
    private boolean fewestNodes;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the figures as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--warm-up",
            paramLabel = "I",
            defaultValue = "200",
            description = "Iterations before measuring, which the Java compiler needs (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--iterations",
            paramLabel = "I",
            defaultValue = "100",
            description = "Steady iterations to measure (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Mixin
    private SeedOption workload = new SeedOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (size.nodes < 1 || size.jobs < 1 || iterations < 1 || warmUp < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--nodes, --jobs and --iterations are at least 1, --warm-up at least 0");
        }
        if (questions < 0 || questions > size.jobs) {
            throw new ParameterException(
                    spec.commandLine(), "--questions is 0 to the number of jobs, not " + questions);
        }
        if (reserved < 0 || reserved > 100) {
            throw new ParameterException(spec.commandLine(), "--reserved is 0 to 100, not " + reserved);
        }
        if (reservations < 0 || reservations > Limit.RESERVATIONS - iterations) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--reservations is at least 0, and with --iterations at most " + Limit.RESERVATIONS + ", not "
                            + reservations);
        }
        if (drained < 0 || drained >= size.nodes) {
            throw new ParameterException(
                    spec.commandLine(), "--drained is 0 to one less than the number of nodes, not " + drained);
        }
        if (due < 0 || due > 100) {
            throw new ParameterException(spec.commandLine(), "--due is 0 to 100, not " + due);
        }
        if (requirements < 2 || requirements > 64) {
            throw new ParameterException(spec.commandLine(), "--requirements is 2 to 64, not " + requirements);
        }
        MixedCluster cluster = new MixedCluster(size.nodes);
        String policy = "RESERVATIONDEPTH " + depthWord() + "\n" + cluster.reserved(reserved) + configuration();
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Filling " + size.nodes + " nodes, then measuring " + iterations + " iterations …");
        IterationBench bench = new IterationBench(cluster, size.jobs, policy, workload.seed())
                .asking(questions)
                .drained(drained)
                .reserving(reservations)
                .due(due)
                .onFewestNodes(fewestNodes);
        if (demanding != null) {
            bench.demanding(requirements, demanding);
        }
        IterationReport report = bench.run(warmUp, iterations);
        terminal.clear();
        if (json != null) {
            report.writeJson(json);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        return ExitCode.FINE;
    }

    private String configuration() {
        try {
            return config == null ? "" : PolicyFile.read(config);
        } catch (IOException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
    }

    private String depthWord() {
        if (depth.toLowerCase(Locale.ROOT).equals("unlimited")) {
            return "INFINITY";
        }
        if (!depth.matches("[0-9]{1,9}")) {
            throw new ParameterException(spec.commandLine(), "--depth is a number or unlimited, not '" + depth + "'");
        }
        return depth;
    }
}
