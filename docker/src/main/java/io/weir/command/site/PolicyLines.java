package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Lines of a configuration by their parameter, as written. */
final class PolicyLines {
    private PolicyLines() {}

    static List<String> of(String text, String parameter) {
        return text.lines()
                .map(String::strip)
                .filter(line -> {
                    String upper = line.toUpperCase(Locale.ROOT);
                    return upper.startsWith(parameter + "[") || upper.startsWith(parameter + " ");
                })
                .toList();
    }

    /** Prints lines below the heading of the configuration. */
    static void print(JsonNode lines, PrintWriter out) {
        out.printf("%nConfiguration:%n");
        lines.forEach(line -> out.println("  " + line.asText()));
        if (lines.isEmpty()) {
            out.println("  none");
        }
    }
}
