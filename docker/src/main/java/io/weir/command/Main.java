package io.weir.command;

import io.weir.command.site.CanceljobCommand;
import io.weir.command.site.CheckjobCommand;
import io.weir.command.site.ChecknodeCommand;
import io.weir.command.site.MdiagCommand;
import io.weir.command.site.MjobctlCommand;
import io.weir.command.site.MnodectlCommand;
import io.weir.command.site.MrsvctlCommand;
import io.weir.command.site.MschedctlCommand;
import io.weir.command.site.ReleaseresCommand;
import io.weir.command.site.RunjobCommand;
import io.weir.command.site.SetqosCommand;
import io.weir.command.site.SetresCommand;
import io.weir.command.site.SetspriCommand;
import io.weir.command.site.ShowbfCommand;
import io.weir.command.site.ShowqCommand;
import io.weir.command.site.ShowresCommand;
import io.weir.command.site.ShowstartCommand;
import io.weir.command.site.SiteException;
import io.weir.scheduler.cli.BrokerAccess;
import io.weir.scheduler.cli.ConfigCommand;
import io.weir.scheduler.cli.RebuildCommand;
import io.weir.scheduler.cli.ReplayCommand;
import io.weir.scheduler.cli.SimulateCommand;
import io.weir.standalone.BackboneAccess;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.NotPermittedException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code weir} command. Exit codes are those of {@link ExitCode}. */
@Command(
        name = "weir",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        header = "Weir schedules the jobs of an HPC cluster as a stream of events on Apache Kafka.%n",
        description = {
            "%nTo see it work: weir demo",
            "To ask whether it decides right: weir simulate, weir run-trace, weir replay --verify",
            "",
            "Every command explains itself: weir COMMAND --help",
            "Exit codes: 0 fine, 1 failed or found a difference, 2 bad usage or input, 4 not permitted,",
            "5 scheduler not reachable.",
            ""
        },
        subcommands = {
            DemoCommand.class,
            StandaloneCommand.class,
            SimulateCommand.class,
            RunTraceCommand.class,
            CrashDrillCommand.class,
            LoopCommand.class,
            BenchCommand.class,
            ShowqCommand.class,
            CheckjobCommand.class,
            ShowstartCommand.class,
            ShowbfCommand.class,
            ShowresCommand.class,
            ChecknodeCommand.class,
            MdiagCommand.class,
            MjobctlCommand.class,
            MnodectlCommand.class,
            MrsvctlCommand.class,
            CanceljobCommand.class,
            RunjobCommand.class,
            MschedctlCommand.class,
            SetqosCommand.class,
            SetspriCommand.class,
            SetresCommand.class,
            ReleaseresCommand.class,
            CompareCommand.class,
            PolicyCommand.class,
            TopicsCommand.class,
            AclsCommand.class,
            VersionCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs the command and returns its exit code. */
    public static int run(String... args) {
        return commandLine().execute(args);
    }

    /** Returns the command, ready to run. */
    public static CommandLine commandLine() {
        BrokerAccess.OfDirectory directories = data -> BackboneAccess.open(new DataDirectory(data), Account.READER);
        return new CommandLine(new Main())
                .addSubcommand(new ReplayCommand(directories))
                .addSubcommand(new RebuildCommand(directories))
                .addSubcommand(ConfigCommand.with(directories))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(Main::misused)
                .setExecutionExceptionHandler(Main::explain);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing");
    }

    /** Says what is wrong with a command line, and how it should look; a file that cannot be read is nobody's misuse. */
    private static int misused(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("weir: " + failure.getMessage());
        if (!(failure.getCause() instanceof IOException)) {
            CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
            err.print(command.getHelp().fullSynopsis());
            err.println("What they mean: " + command.getCommandSpec().qualifiedName() + " --help");
        }
        if (System.getenv("WEIR_DEBUG") != null) {
            failure.printStackTrace(err);
        }
        return ExitCode.BAD_INPUT;
    }

    private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println("weir: " + message(failure));
        if (System.getenv("WEIR_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        }
        if (failure instanceof SiteException ended) {
            return ended.exitCode();
        }
        if (failure instanceof NotPermittedException) {
            return ExitCode.NOT_PERMITTED;
        }
        return failure instanceof BadInputException ? ExitCode.BAD_INPUT : ExitCode.FAILED;
    }

    private static String message(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            if (text.indexOf(message) < 0) {
                text.append(text.isEmpty() ? "" : ": ").append(message);
            }
        }
        return text.toString();
    }
}
