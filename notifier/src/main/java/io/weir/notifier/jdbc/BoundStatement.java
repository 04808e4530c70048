package io.weir.notifier.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * An SQL statement with named parameters, {@code :name}, each of which becomes a {@code ?}: values are bound and are never
 * part of the text. What stands in quotes or comments, and PostgreSQL's {@code ::}, is left alone. Immutable.
 *
 * @param sql the text for the database
 * @param names the parameter of each {@code ?}, in their order
 */
record BoundStatement(String sql, List<String> names) {

    BoundStatement {
        names = List.copyOf(names);
    }

    /** Reads {@code text}. */
    static BoundStatement parse(String text) {
        StringBuilder sql = new StringBuilder();
        List<String> names = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            int skipped = quoted(text, i);
            if (skipped > i) {
                sql.append(text, i, skipped);
                i = skipped;
            } else if (text.charAt(i) == ':' && isNameStart(text, i + 1)) {
                int end = i + 1;
                while (end < text.length() && isNamePart(text.charAt(end))) {
                    end++;
                }
                names.add(text.substring(i + 1, end));
                sql.append('?');
                i = end;
            } else {
                sql.append(text.charAt(i++));
            }
        }
        return new BoundStatement(sql.toString(), names);
    }

    /** Returns the end of what begins at {@code from} and is not to be looked into; {@code from} when it is not such. */
    private static int quoted(String text, int from) {
        char c = text.charAt(from);
        if (c == '\'' || c == '"') {
            int end = text.indexOf(c, from + 1);
            return end < 0 ? text.length() : end + 1;
        }
        if (text.startsWith("--", from)) {
            int end = text.indexOf('\n', from);
            return end < 0 ? text.length() : end;
        }
        if (text.startsWith("/*", from)) {
            int end = text.indexOf("*/", from + 2);
            return end < 0 ? text.length() : end + 2;
        }
        return text.startsWith("::", from) ? from + 2 : from;
    }

    private static boolean isNameStart(String text, int index) {
        return index < text.length() && (Character.isLetter(text.charAt(index)) || text.charAt(index) == '_');
    }

    private static boolean isNamePart(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || c == '_');
    }
}
