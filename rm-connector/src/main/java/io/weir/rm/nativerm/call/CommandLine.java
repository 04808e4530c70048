package io.weir.rm.nativerm.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes a command apart into words and puts variables into them, as a shell would, without being one. */
final class CommandLine {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)}|([A-Za-z_][A-Za-z0-9_]*))");

    private CommandLine() {}

    /** Returns {@code text} with <code>$NAME</code> and <code>${NAME}</code> replaced. */
    static String expand(String text, UnaryOperator<@Nullable String> variables) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            String name = match.group(1) != null ? match.group(1) : match.group(2);
            @Nullable String value = variables.apply(name);
            if (value == null) {
                throw new IllegalArgumentException("'" + text + "': there is no environment variable " + name);
            }
            return Matcher.quoteReplacement(value);
        });
    }

    /** Returns the words between blanks; quotes keep blanks, a backslash keeps the next character. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (c == ' ' || c == '\t') {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("'" + text + "': a quote is not closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
