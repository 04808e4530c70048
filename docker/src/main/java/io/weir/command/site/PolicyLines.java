package io.weir.command.site;

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
}
