package io.weir.command;

import io.weir.command.client.ClientException;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.PrintableText;
import io.weir.standalone.access.NotPermittedException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code weir} command. Exit codes are those of {@link ExitCode}. */
@Command(
        name = "weir",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        header = "Weir schedules the jobs of an HPC cluster as a stream of events on Apache Kafka.%n",
        description = {
            "%nTo see it work: weir demo",
            "To check its decisions: weir simulate, weir run-trace, weir replay --verify",
            "",
            "Help on a command: weir COMMAND --help",
            "Exit codes: 0 fine, 1 failed or found a difference, 2 bad usage or input,",
            "3 replay and rebuild: fine, but the journal's beginning has expired, 4 not permitted,",
            "5 scheduler not reachable.",
            ""
        })
public final class Main implements Runnable {
    private static final int LONGEST_MESSAGE = 2_000;

    /** Fine as well, of an audit of a journal whose beginning has expired. */
    private static final int TRUNCATED = 3;

    /** What stands in place of bytes that are no text. */
    private static final char UNREADABLE = '\uFFFD';

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command and ends the process with its exit code, which is no success when part of the output was lost. */
    public static void main(String[] args) {
        // Scripts read the output: numbers are written alike whatever digits and points the locale has.
        Locale.setDefault(Locale.ROOT);
        int code;
        try {
            Thread.setDefaultUncaughtExceptionHandler(Main::died);
            code = run(args);
        } catch (OutOfMemoryError e) {
            code = exhausted(System.err);
        }
        boolean lost = System.out.checkError();
        if (lost) {
            tellLoss(System.err);
        }
        System.exit(lost && (code == ExitCode.FINE || code == TRUNCATED) ? ExitCode.FAILED : code);
    }

    /** Says why part of the output is lost, unless whoever read it wants no more: the stream itself does not tell. */
    @SuppressWarnings("resource") // the process's own output is not to be closed
    private static void tellLoss(PrintStream err) {
        String why;
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            why = "";
        } catch (IOException e) {
            why = ": " + e.getMessage();
        }
        if (!why.toLowerCase(Locale.ROOT).contains("pipe")) {
            err.println("weir: part of the output could not be written" + why);
        }
    }

    /** Ends the process where one of its threads ran out of memory: others would wait for it. */
    private static void died(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            Runtime.getRuntime().halt(exhausted(System.err));
        }
        System.err.println("weir: thread " + thread.getName() + " died");
        failure.printStackTrace();
    }

    /** Says that memory ran out, and what helps; returns the exit code. */
    static int exhausted(PrintStream err) {
        long most = Runtime.getRuntime().maxMemory() >> 20;
        err.println(
                "weir: out of memory: the heap of this command is at most " + most + " MB; ask for less, such as the"
                        + " jobs of one user, or give it more: WEIR_JAVA_OPTS=-Xmx" + 2 * most + "m");
        return ExitCode.FAILED;
    }

    /** Runs the command and returns its exit code. */
    public static int run(String... args) {
        for (String argument : args) {
            if (argument.indexOf(UNREADABLE) >= 0) {
                System.err.println("weir: '" + argument + "' was not readable in the encoding of this locale, "
                        + System.getProperty("sun.jnu.encoding") + "; set LC_ALL to a locale in UTF-8");
                return ExitCode.BAD_INPUT;
            }
        }
        boolean named = args.length > 0 && Commands.NAMES.contains(args[0]);
        return (named ? commandLine(List.of(args[0])) : commandLine()).execute(args);
    }

    /** Returns the command with all its subcommands, ready to run. */
    public static CommandLine commandLine() {
        return commandLine(Commands.NAMES).addSubcommand(new HelpCommand());
    }

    private static CommandLine commandLine(List<String> subcommands) {
        CommandLine weir = new CommandLine(new Main());
        subcommands.forEach(name -> weir.addSubcommand(Commands.make(name)));
        return weir.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(Main::misused)
                .setExecutionExceptionHandler(Main::explain)
                .registerConverter(Path.class, Main::path);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing");
    }

    /**
     * Says what is wrong with a command line: last, where it is seen, below how the line should look in short. Of a file
     * that cannot be read nothing more is said.
     */
    private static int misused(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (System.getenv("WEIR_DEBUG") != null) {
            failure.printStackTrace(err);
        }
        if (!(failure.getCause() instanceof IOException)) {
            String name = command.getCommandSpec().qualifiedName();
            err.println("Usage: " + command.getHelp().abbreviatedSynopsis().strip() + "; see " + name + " --help");
        }
        err.println(PrintableText.lines("weir: " + failure.getMessage(), LONGEST_MESSAGE) + suggestion(failure));
        return ExitCode.BAD_INPUT;
    }

    private static String suggestion(ParameterException failure) {
        if (!(failure instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return "";
        }
        List<String> alike = unmatched.getSuggestions();
        return alike.isEmpty() ? "" : "; did you mean " + String.join(" or ", alike) + "?";
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' names no file: " + e.getReason());
        }
    }

    private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println(PrintableText.lines("weir: " + message(failure), LONGEST_MESSAGE));
        if (System.getenv("WEIR_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        }
        if (failure instanceof ClientException ended) {
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
