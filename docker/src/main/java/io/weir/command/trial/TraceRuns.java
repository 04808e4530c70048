package io.weir.command.trial;

import io.weir.scheduler.cli.TraceOptions;
import io.weir.standalone.TraceRun;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads the trace that the options of a command name, once, and makes the run through Kafka of it. */
final class TraceRuns {
    private TraceRuns() {}

    /** @throws ParameterException if the trace or the policy cannot be read, or the trace has no such jobs */
    static TraceRun chosen(TraceOptions options, CommandSpec spec) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            options.jobs(options.read(err));
            return new TraceRun(
                    options.trace(),
                    options.cluster().nodes(),
                    options.cluster().procsPerNode(),
                    options.from(),
                    options.count(),
                    options.policy(err));
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
