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
            "Lists, shows and sends again the records that could not be used.",
            "",
            "They are those of the scheduler, the connectors and the notifier; they are sent again once their",
            "cause is mended."
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
