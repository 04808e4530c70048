package io.weir.scheduler.core.trigger.action;

import java.util.SortedSet;
import java.util.TreeSet;

/** The variables that a text names: {@code $NAME} or {@code ${NAME}}; {@code \$} is the sign itself. */
public final class VariableNames {
    private VariableNames() {}

    /** Returns the names in {@code text}, sorted. */
    public static SortedSet<String> in(String text) {
        SortedSet<String> names = new TreeSet<>();
        for (int at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) {
            boolean literal = at > 0 && text.charAt(at - 1) == '\\';
            String name = literal ? "" : at(text, at);
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    /** Returns the name of the variable that begins at {@code at}; empty where none does. */
    public static String at(String text, int at) {
        boolean braced = at + 1 < text.length() && text.charAt(at + 1) == '{';
        int begin = at + (braced ? 2 : 1);
        int end = begin;
        while (end < text.length() && isPart(text.charAt(end))) {
            end++;
        }
        boolean closed = !braced || (end < text.length() && text.charAt(end) == '}');
        return closed ? text.substring(begin, end) : "";
    }

    private static boolean isPart(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
}
