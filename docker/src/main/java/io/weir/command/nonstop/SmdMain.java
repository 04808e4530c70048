package io.weir.command.nonstop;

import io.weir.command.terminal.BadInputException;
import java.util.Locale;
import picocli.CommandLine;

/** {@code smd} by itself, for the nodes on which jobs run: it needs the client, picocli and Jackson, and nothing else. */
public final class SmdMain {
    private SmdMain() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        System.exit(commandLine(new SmdCommand()).execute(args));
    }

    static CommandLine commandLine(SmdCommand command) {
        return new CommandLine(command)
                .setParameterExceptionHandler((failure, arguments) -> {
                    failure.getCommandLine().getErr().println("smd: " + failure.getMessage());
                    return SmdExit.BAD_INPUT;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println("smd: " + failure.getMessage());
                    return failure instanceof BadInputException ? SmdExit.BAD_INPUT : SmdExit.REFUSED;
                });
    }
}
