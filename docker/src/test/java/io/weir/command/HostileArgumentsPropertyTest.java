package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Whatever is typed after a command that asks the scheduler, it ends with one of the exit codes that are documented, and a
 * failure is told in a sentence of its own: not by the name of an exception, without characters that steer a terminal.
 * (What is answered to a request repeats names that the scheduler has let pass; it refuses such characters in them.)
 * {@code -Dweir.arguments.lines=100000} types so many lines, {@code -Dweir.arguments.seed=N} begins with that one.
 */
class HostileArgumentsPropertyTest extends PreparedSite {
    private static final int LINES = Integer.getInteger("weir.arguments.lines", 400);
    private static final long FIRST = Long.getLong("weir.arguments.seed", 1);
    private static final int MOST_FAILURES = 20;

    /** Commands that talk to the scheduler, or read what they are given, and start no services. */
    private static final List<String> COMMANDS = List.of(
            "showq",
            "checkjob",
            "showstart",
            "showbf",
            "showres",
            "checknode",
            "showstats",
            "mdiag",
            "mjobctl",
            "mnodectl",
            "mrsvctl",
            "canceljob",
            "runjob",
            "mschedctl",
            "setqos",
            "setspri",
            "setres",
            "releaseres",
            "smd",
            "config",
            "simulate",
            "version");

    private static final List<String> WORDS = List.of(
            "",
            " ",
            "-",
            "--",
            "---",
            "-x",
            "--none",
            "=",
            "a=b",
            "x=",
            "=y",
            "a=b=c",
            "17",
            "n[1-3]",
            "n[",
            "n[1-",
            "n[9999999999-1]",
            "(",
            "[",
            "*",
            "\\",
            "'",
            "\"",
            "%s%n%d",
            "$(id)",
            "`id`",
            "; rm -rf x",
            "../../etc/passwd",
            "/",
            "/dev/null",
            "@",
            "@/dev/null",
            "@none",
            "a,b,,c",
            ",",
            ":",
            "::",
            "1:2:3:4:5",
            "00:00:00",
            "-1",
            "+1",
            "0",
            "1.5",
            "1e309",
            "NaN",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999",
            "INFINITY",
            "+1:00:00:00:00",
            "12:00_02/30",
            "9999-99-99",
            "TRUE",
            "all",
            "ALL",
            "DEFAULT",
            "user==ann",
            "procs>5",
            "message",
            "gevent",
            "variable=a=b",
            "\u0000",
            "a\nb",
            "\u001b[31mred",
            "\u009b31m",
            "\u202eright to left",
            "\uD800",
            "\uD83D\uDE80",
            "ß\u0130ı",
            "x".repeat(5_000),
            "EType=start,AType=mail,Action=x",
            "(a+)+$");

    private final CommandLine weir = Main.commandLine();

    @Test
    void shouldEndWithASentenceWhateverIsTyped() {
        List<String> failures = new ArrayList<>();
        Set<Integer> codes = new TreeSet<>();
        for (long seed = FIRST; seed < FIRST + LINES && failures.size() < MOST_FAILURES; seed++) {
            List<String> line = line(new Random(seed));
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            int code = run(line.toArray(String[]::new));
            codes.add(code);
            String wrong = wrong(code, line);
            if (wrong != null) {
                failures.add("seed " + seed + ": " + wrong + "\n  line " + shown(line.toString()) + "\n  error "
                        + shown(err.toString()));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(codes).as("exit codes met").contains(ExitCode.FINE, ExitCode.BAD_INPUT);
    }

    private String wrong(int code, List<String> line) {
        String said = err.toString().replace("/dev/null", "");
        if (code != ExitCode.FINE && said.isBlank() && out.toString().isBlank()) {
            return "ends with " + code + " and says nothing";
        } else if (!Set.of(
                        ExitCode.FINE,
                        ExitCode.FAILED,
                        ExitCode.BAD_INPUT,
                        ExitCode.NOT_PERMITTED,
                        ExitCode.UNREACHABLE)
                .contains(code)) {
            return "ends with " + code;
        } else if (said.contains("Exception")
                || said.contains("\tat ")
                || said.contains("null")
                || said.contains("Cannot invoke")) {
            return "shows how it is made";
        } else if (steers(said)) {
            return "prints characters that steer a terminal";
        } else if (said.length() > 4_000) {
            return "says " + said.length() + " characters";
        }
        return null;
    }

    private static boolean steers(String text) {
        return text.codePoints().anyMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t');
    }

    private static String shown(String text) {
        String cut = text.length() > 600 ? text.substring(0, 600) + " …" : text;
        return cut.replace("\u001b", "ESC").replace("\u0000", "NUL");
    }

    private List<String> line(Random random) {
        List<String> line = new ArrayList<>();
        CommandLine command = weir.getSubcommands().get(line(line, COMMANDS.get(random.nextInt(COMMANDS.size()))));
        while (!command.getSubcommands().isEmpty() && random.nextInt(8) > 0) {
            List<String> names = List.copyOf(command.getSubcommands().keySet());
            command = command.getSubcommands().get(line(line, names.get(random.nextInt(names.size()))));
        }
        CommandSpec spec = command.getCommandSpec();
        int words = random.nextInt(5);
        for (int i = 0; i < words; i++) {
            List<OptionSpec> options = spec.options();
            if (!options.isEmpty() && random.nextInt(3) > 0) {
                OptionSpec option = options.get(random.nextInt(options.size()));
                String name = option.names()[random.nextInt(option.names().length)];
                if (random.nextBoolean()) {
                    line.add(name + (random.nextBoolean() ? "=" : "") + word(random));
                } else {
                    line.add(name);
                    line.add(word(random));
                }
            } else {
                line.add(word(random));
            }
        }
        return line;
    }

    private static String line(List<String> line, String word) {
        line.add(word);
        return word;
    }

    private static String word(Random random) {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        return random.nextInt(6) > 0 ? word : word + WORDS.get(random.nextInt(WORDS.size()));
    }
}
