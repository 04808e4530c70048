package io.weir.scheduler.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.policy.language.LineVerdict;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir config check}: what becomes of each line of a configuration file. */
@Command(
        name = "check",
        description = "Shows a verdict for each line of a configuration file.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Verdicts: applied, no effect yet, deprecated, unknown, bad value.",
            "Exit codes: 0 no errors, 1 a value is invalid, 2 bad usage or an unreadable file."
        })
final class ConfigCheckCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FILE", description = "Site configuration in Moab syntax.")
    private Path file = Path.of("");

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text or json; default ${DEFAULT-VALUE}.")
    private ConfigCommand.Format format = ConfigCommand.Format.TEXT;

    @Option(names = "--problems", description = "Only lines with a message.")
    private boolean problemsOnly;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            List<LineVerdict> lines = PolicyFile.check(file).verdicts().stream()
                    .filter(line -> !problemsOnly || !line.problems().isEmpty())
                    .toList();
            if (format == ConfigCommand.Format.JSON) {
                out.println(json(lines));
            } else {
                print(lines, out);
            }
            out.flush();
            return count(lines, PolicyProblem.Level.ERROR) > 0 ? 1 : 0;
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void print(List<LineVerdict> lines, PrintWriter out) {
        int width = lines.stream()
                .mapToInt(line -> line.origin().toString().length())
                .max()
                .orElse(0);
        for (LineVerdict line : lines) {
            out.printf(
                    Locale.ROOT,
                    "%-" + Math.max(1, width) + "s  %-13s  %s%n",
                    line.origin(),
                    line.verdict().shown(),
                    line.source().strip());
            for (PolicyProblem problem : line.problems()) {
                out.printf(
                        Locale.ROOT,
                        "%" + Math.max(1, width) + "s  %13s    %s %s: %s%n",
                        "",
                        "",
                        problem.level(),
                        problem.parameter(),
                        problem.message());
            }
        }
        out.printf(
                Locale.ROOT,
                "%d lines: %d errors, %d warnings, %d without effect yet%n",
                lines.size(),
                count(lines, PolicyProblem.Level.ERROR),
                count(lines, PolicyProblem.Level.WARNING),
                count(lines, PolicyProblem.Level.INFO));
    }

    private static String json(List<LineVerdict> lines) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        root.put("errors", count(lines, PolicyProblem.Level.ERROR));
        root.put("warnings", count(lines, PolicyProblem.Level.WARNING));
        ArrayNode array = root.putArray("lines");
        for (LineVerdict line : lines) {
            ObjectNode node = array.addObject();
            node.put("file", line.origin().file());
            node.put("line", line.origin().line());
            node.put("verdict", line.verdict().name());
            node.put("text", line.source().strip());
            ArrayNode problems = node.putArray("problems");
            for (PolicyProblem problem : line.problems()) {
                problems.addObject()
                        .put("level", problem.level().name())
                        .put("kind", problem.kind().name())
                        .put("parameter", problem.parameter())
                        .put("message", problem.message());
            }
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    private static long count(List<LineVerdict> lines, PolicyProblem.Level level) {
        return lines.stream()
                .flatMap(line -> line.problems().stream())
                .filter(problem -> problem.level() == level)
                .count();
    }
}
