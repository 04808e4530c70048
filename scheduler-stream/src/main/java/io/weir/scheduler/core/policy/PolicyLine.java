package io.weir.scheduler.core.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a configuration text, taken apart: {@code PARAM[index] value…}.
 *
 * @param line number of the line it begins on, from 1
 * @param name parameter name as written
 * @param index what stands in brackets; null without brackets
 * @param values the words after it, quotes removed
 */
record PolicyLine(int line, String name, @Nullable String index, List<String> values) {
    PolicyLine {
        values = List.copyOf(values);
    }

    /** Returns name and index as written. */
    String parameter() {
        return index == null ? name : name + "[" + index + "]";
    }

    /** Takes {@code text} apart: comments dropped, continued lines joined, quotes respected. */
    static List<PolicyLine> parse(String text) {
        List<PolicyLine> lines = new ArrayList<>();
        String[] raw = text.split("\r?\n|\r", -1);
        for (int i = 0; i < raw.length; i++) {
            int first = i + 1;
            StringBuilder joined = new StringBuilder(raw[i]);
            while (endsWithContinuation(joined) && i + 1 < raw.length) {
                joined.setLength(joined.length() - 1);
                joined.append(' ').append(raw[++i]);
            }
            List<String> words = words(joined);
            if (!words.isEmpty()) {
                lines.add(of(first, words));
            }
        }
        return lines;
    }

    private static boolean endsWithContinuation(CharSequence line) {
        return line.length() > 0 && line.charAt(line.length() - 1) == '\\';
    }

    private static PolicyLine of(int line, List<String> words) {
        List<String> values = new ArrayList<>(words.subList(1, words.size()));
        String head = words.get(0);
        int bracketEnd = head.indexOf(']');
        int equals = head.indexOf('=', Math.max(0, bracketEnd));
        if (equals > 0) {
            String rest = head.substring(equals + 1);
            head = head.substring(0, equals);
            if (!rest.isEmpty()) {
                values.add(0, rest);
            }
        } else if (!values.isEmpty() && values.get(0).equals("=")) {
            values.remove(0);
        }
        if (!values.isEmpty() && values.get(values.size() - 1).equals("...")) {
            values.remove(values.size() - 1);
        }
        int open = head.indexOf('[');
        if (open > 0 && head.endsWith("]")) {
            return new PolicyLine(line, head.substring(0, open), head.substring(open + 1, head.length() - 1), values);
        }
        return new PolicyLine(line, head, null, values);
    }

    private static List<String> words(CharSequence line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == '\\' && quote == '"' && i + 1 < line.length()) {
                    word.append(line.charAt(++i));
                } else if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (c == '#' && !inWord) {
                break;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        if (words.size() == 1 && words.get(0).equals("...")) {
            words.clear();
        }
        return words;
    }
}
