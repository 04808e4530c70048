package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.LineVerdict;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Lines of a configuration by their parameter, as written; behind each, as a comment, what of it nothing acts on. */
public final class PolicyLines {
    private PolicyLines() {}

    static List<String> of(String text, String parameter) {
        return SitePolicy.read(text).settings().verdicts().stream()
                .filter(line -> isAbout(line, parameter))
                .map(PolicyLines::noted)
                .toList();
    }

    private static boolean isAbout(LineVerdict line, String parameter) {
        String upper = line.source().strip().toUpperCase(Locale.ROOT);
        return upper.startsWith(parameter + "[") || upper.startsWith(parameter + " ");
    }

    private static String noted(LineVerdict line) {
        List<String> notes = line.problems().stream()
                .filter(problem -> problem.kind() == PolicyProblem.Kind.NO_EFFECT)
                .map(problem -> problem.parameter() + " " + problem.message())
                .toList();
        return line.source().strip() + (notes.isEmpty() ? "" : "  # " + String.join("; ", notes));
    }

    /** Prints lines below the heading of the configuration. */
    public static void print(JsonNode lines, PrintWriter out) {
        out.printf("%nConfiguration:%n");
        lines.forEach(line -> out.println("  " + line.asText()));
        if (lines.isEmpty()) {
            out.println("  none");
        }
    }
}
