package io.weir.command.letters;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir dead-letters}: the records that scheduler, connectors and notifier could not use. */
@Command(
        name = "dead-letters",
        mixinStandardHelpOptions = true,
        description = {
            "Lists records that the scheduler, a connector or the notifier could not use, shows one, and sends them",
            "again once their cause is mended."
        },
        subcommands = {ListCommand.class, ShowCommand.class, RedriveCommand.class})
public final class DeadLettersCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "list, show or redrive is needed");
    }
}
