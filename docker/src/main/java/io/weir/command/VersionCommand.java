package io.weir.command;

import io.weir.command.terminal.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir version}. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description = "Shows the version, git commit, Java and platform of this build.")
final class VersionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        for (String line : new BuildVersion().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        return ExitCode.FINE;
    }
}
