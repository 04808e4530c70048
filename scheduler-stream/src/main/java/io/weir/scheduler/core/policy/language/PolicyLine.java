package io.weir.scheduler.core.policy.language;

import io.weir.scheduler.core.policy.language.value.Token;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a configuration text, taken apart: {@code PARAM[index] value…}.
 *
 * @param origin where it begins
 * @param source the line as written, continuations joined
 * @param name parameter name as written
 * @param index what stands in brackets; null without brackets
 * @param words the words after it
 * @param closed false when a quote was opened and not closed
 */
public record PolicyLine(
        Origin origin, String source, String name, @Nullable String index, List<Token> words, boolean closed) {
    /** Begins a comment that says where the following line comes from: {@code #line 12 "site/nodes.cfg"}. */
    public static final String MARKER = "#line ";

    public PolicyLine {
        words = List.copyOf(words);
    }

    /** Returns name and index as written. */
    public String parameter() {
        return index == null ? name : name + "[" + index + "]";
    }

    /** Returns the same words under another parameter. */
    PolicyLine as(String newName, @Nullable String newIndex, List<Token> newWords) {
        return new PolicyLine(origin, source, newName, newIndex, newWords, closed);
    }

    /** Takes {@code text} apart: comments dropped, continued lines joined, quotes respected. */
    public static List<PolicyLine> parse(String text) {
        List<PolicyLine> lines = new ArrayList<>();
        String bare = text.startsWith("\uFEFF") ? text.substring(1) : text;
        String[] raw = bare.split("\r?\n|\r", -1);
        String file = "";
        int number = 0;
        for (int i = 0; i < raw.length; i++) {
            Origin marked = marker(raw[i]);
            if (marked != null) {
                file = marked.file();
                number = marked.line() - 1;
                continue;
            }
            Origin origin = new Origin(file, ++number);
            StringBuilder joined = new StringBuilder(raw[i]);
            while (continues(joined)) {
                joined.setLength(joined.length() - 1);
                if (i + 1 < raw.length) {
                    joined.append(' ').append(raw[++i]);
                    number++;
                }
            }
            PolicyLine line = of(origin, joined.toString());
            if (line != null) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** Returns the marker that makes the next line the {@code line}th one of {@code file}. */
    public static String marker(String file, int line) {
        return MARKER + line + " \"" + file.replace("\"", "'") + "\"";
    }

    private static @Nullable Origin marker(String line) {
        int open = line.indexOf('"');
        if (!line.startsWith(MARKER) || open < 0 || !line.endsWith("\"") || open == line.length() - 1) {
            return null;
        }
        String number = line.substring(MARKER.length(), open).strip();
        if (number.isEmpty() || number.length() > 9 || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        return new Origin(line.substring(open + 1, line.length() - 1), Integer.parseInt(number));
    }

    private static boolean continues(CharSequence line) {
        if (line.length() == 0 || line.charAt(line.length() - 1) != '\\') {
            return false;
        }
        for (int i = 0; i < line.length(); i++) {
            if (!Character.isWhitespace(line.charAt(i))) {
                return line.charAt(i) != '#';
            }
        }
        return false;
    }

    private static @Nullable PolicyLine of(Origin origin, String source) {
        List<Token> words = new ArrayList<>();
        boolean closed = new WordReader(source).readInto(words);
        while (!words.isEmpty() && words.get(words.size() - 1).raw().equals("...")) {
            words.remove(words.size() - 1);
        }
        if (words.isEmpty()) {
            return null;
        }
        Token head = words.remove(0);
        int bracketEnd = head.text().indexOf(']');
        int equals = head.text().indexOf('=', Math.max(0, bracketEnd));
        String name = head.text();
        if (equals > 0) {
            name = head.text().substring(0, equals);
            if (equals + 1 < head.text().length()) {
                words.add(0, head.after(equals + 1));
            }
        } else if (!words.isEmpty() && words.get(0).raw().startsWith("=")) {
            Token value = words.remove(0);
            if (value.text().length() > 1) {
                words.add(0, value.after(1));
            }
        }
        int open = name.indexOf('[');
        if (open > 0 && name.endsWith("]")) {
            return new PolicyLine(
                    origin,
                    source,
                    name.substring(0, open),
                    name.substring(open + 1, name.length() - 1),
                    words,
                    closed);
        }
        return new PolicyLine(origin, source, name, null, words, closed);
    }

    /** Splits one line at blanks outside quotes. */
    private static final class WordReader {
        private final String line;
        private final StringBuilder text = new StringBuilder();
        private BitSet quoted = new BitSet();

        WordReader(String line) {
            this.line = line;
        }

        /** Returns whether every quote was closed. */
        boolean readInto(List<Token> words) {
            int begin = -1;
            char quote = 0;
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (quote != 0) {
                    if (c == '\\' && quote == '"' && i + 1 < line.length()) {
                        literal(line.charAt(++i));
                    } else if (c == quote) {
                        quote = 0;
                    } else {
                        literal(c);
                    }
                } else if (Character.isWhitespace(c)) {
                    begin = end(words, begin, i);
                } else if (c == '#' && begin < 0) {
                    return true;
                } else {
                    begin = begin < 0 ? i : begin;
                    if (c == '"' || c == '\'') {
                        quote = c;
                    } else {
                        text.append(c);
                    }
                }
            }
            end(words, begin, line.length());
            return quote == 0;
        }

        private void literal(char c) {
            quoted.set(text.length());
            text.append(c);
        }

        private int end(List<Token> words, int begin, int end) {
            if (begin >= 0) {
                words.add(new Token(text.toString(), line.substring(begin, end), quoted));
                text.setLength(0);
                quoted = new BitSet();
            }
            return -1;
        }
    }
}
