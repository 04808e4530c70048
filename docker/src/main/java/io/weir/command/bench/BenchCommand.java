package io.weir.command.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench}: measurements a site can run on its own machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures Weir on this machine.",
        subcommands = {
            BenchFailuresCommand.class,
            BenchIterationCommand.class,
            BenchLatencyCommand.class,
            BenchMetricsCommand.class,
            BenchQuestionsCommand.class,
            BenchThroughputCommand.class
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "A measurement is missing: weir bench failures, weir bench iteration, weir bench latency,"
                        + " weir bench metrics, weir bench questions, weir bench throughput");
    }
}
