package io.weir.rm.nativerm.text;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes one line apart: an id, then pairs between blanks or semicolons. In a value a backslash takes the next character
 * as it is, and quotes protect blanks and semicolons; within double quotes a backslash still escapes, within single
 * quotes nothing does. A quote opens at the start of a value or after {@code = : ,}; elsewhere it is an apostrophe.
 */
final class LineScanner {
    private static final int LONGEST_QUOTED = 60;

    private final String line;
    private final Consumer<String> problems;
    private int at;

    /**
     * One attribute.
     *
     * @param name as written
     * @param index what stood in brackets after the name; empty when nothing did
     * @param value what stood after the equals sign
     */
    record Pair(String name, String index, Value value) {}

    LineScanner(String line, Consumer<String> problems) {
        this.line = line;
        this.problems = problems;
    }

    /** Returns the id; null if the line is empty or a comment, or has no id, which is a problem. */
    @Nullable
    String id() {
        skipBlanks();
        if (atEnd() || line.charAt(at) == '#') {
            return null;
        }
        int from = at;
        while (!atEnd() && !isBlank(line.charAt(at))) {
            at++;
        }
        String id = line.substring(from, at);
        if (!isId(id)) {
            problems.accept("line has no id, it begins with '" + shortened(id) + "'");
            return null;
        }
        return id;
    }

    /** Returns the next pair that can be read; null at the end of the line. What cannot be is a problem. */
    @Nullable
    Pair next() {
        while (true) {
            skipSeparators();
            if (atEnd() || line.charAt(at) == '#') {
                return null;
            }
            int from = at;
            @Nullable Pair pair = pair();
            if (pair != null) {
                return pair;
            }
            problems.accept("'" + shortened(line.substring(from, at)) + "' is not ATTR=VALUE");
        }
    }

    private @Nullable Pair pair() {
        String name = name();
        String index = "";
        if (!atEnd() && line.charAt(at) == '[') {
            int close = line.indexOf(']', at);
            if (close < 0) {
                skipWord();
                return null;
            }
            index = line.substring(at + 1, close);
            at = close + 1;
        }
        if (name.isEmpty() || atEnd() || line.charAt(at) != '=') {
            skipWord();
            return null;
        }
        at++;
        @Nullable Value value = value();
        return value == null ? null : new Pair(name, index, value);
    }

    private String name() {
        int from = at;
        while (!atEnd() && isNameCharacter(line.charAt(at))) {
            at++;
        }
        return line.substring(from, at);
    }

    /** Reads a value; null if a quote or a backslash has no end, which takes the rest of the line with it. */
    private @Nullable Value value() {
        Value.Builder value = new Value.Builder();
        while (!atEnd()) {
            char c = line.charAt(at);
            if (isSeparator(c)) {
                break;
            }
            at++;
            if (c == '\\') {
                if (atEnd()) {
                    return null;
                }
                value.addEscaped(line.charAt(at++));
            } else if ((c == '"' || c == '\'') && value.mayOpenQuote()) {
                if (!quoted(c, value)) {
                    return null;
                }
            } else {
                value.add(c);
            }
        }
        return value.build();
    }

    private boolean quoted(char quote, Value.Builder value) {
        while (!atEnd()) {
            char c = line.charAt(at++);
            if (c == quote) {
                return true;
            }
            if (c == '\\' && quote == '"') {
                if (atEnd()) {
                    return false;
                }
                value.addEscaped(line.charAt(at++));
            } else {
                value.add(c);
            }
        }
        return false;
    }

    private void skipBlanks() {
        while (!atEnd() && isBlank(line.charAt(at))) {
            at++;
        }
    }

    private void skipSeparators() {
        while (!atEnd() && isSeparator(line.charAt(at))) {
            at++;
        }
    }

    private void skipWord() {
        while (!atEnd() && !isSeparator(line.charAt(at))) {
            at++;
        }
    }

    private boolean atEnd() {
        return at >= line.length();
    }

    private static boolean isSeparator(char c) {
        return c == ';' || isBlank(c);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f';
    }

    private static boolean isNameCharacter(char c) {
        return isLetterOrDigit(c) || c == '_';
    }

    /** An id begins with a letter, a digit or an underscore and goes on with those and {@code . - + @ [ ]}. */
    private static boolean isId(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!isNameCharacter(c) && (i == 0 || ".-+@[]".indexOf(c) < 0)) {
                return false;
            }
        }
        return id.length() <= 255;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Returns {@code text} fit for a message: not too long, nothing unprintable. */
    static String shortened(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), LONGEST_QUOTED); i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || c == '\uFFFD' ? '?' : c);
        }
        return text.length() > LONGEST_QUOTED ? shown + "..." : shown.toString();
    }
}
