package io.weir.scheduler.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir config}: what a site's configuration means, and what is wrong with it. */
@Command(
        name = "config",
        description = "Check a site's configuration, or show the values in force.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class ConfigCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Returns the command with its subcommands; {@code directories} opens what {@code --data} names. */
    public static CommandLine with(BrokerAccess.OfDirectory directories) {
        return new CommandLine(new ConfigCommand())
                .addSubcommand(new ConfigCheckCommand())
                .addSubcommand(new ConfigShowCommand(directories));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing: check or show");
    }

    /** How to print. */
    enum Format {
        /** For people. */
        TEXT,
        /** For programs. */
        JSON
    }
}
