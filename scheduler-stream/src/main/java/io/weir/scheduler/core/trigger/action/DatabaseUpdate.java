package io.weir.scheduler.core.trigger.action;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * AType dbupdate: {@code source statement | value | value}, the statement with a question mark for each value. Immutable.
 *
 * @param source data source
 * @param statement statement, which is never changed
 * @param values values, variables as written
 */
public record DatabaseUpdate(String source, String statement, List<String> values) {
    private static final int MOST_VALUES = 64;

    /** What statements begin with, and data sources are not called. */
    private static final List<String> VERBS =
            List.of("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "CALL", "SELECT", "WITH", "TRUNCATE");

    public DatabaseUpdate {
        values = List.copyOf(values);
    }

    /** Reads {@code action}. */
    public static DatabaseUpdate read(String action) throws UnfitActionException {
        String[] parts = action.split("\\|", -1);
        String[] head = parts[0].strip().split(" ", 2);
        if (head.length < 2 || parts.length > MOST_VALUES + 1 || VERBS.contains(head[0].toUpperCase(Locale.ROOT))) {
            throw new UnfitActionException("dbupdate is '" + action + "'; SOURCE STATEMENT | VALUE | VALUE with up to "
                    + MOST_VALUES + " values is needed, SOURCE being the name of a data source");
        }
        List<String> values = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            values.add(parts[i].strip());
        }
        String statement = head[1].strip();
        int wanted = placeholders(statement);
        if (wanted != values.size()) {
            throw new UnfitActionException("dbupdate is '" + action + "'; its statement has " + wanted
                    + " question marks, and " + values.size() + " values follow: one for each is needed");
        }
        return new DatabaseUpdate(head[0], statement, values);
    }

    /** Counts the question marks that do not stand in quotes. */
    private static int placeholders(String statement) {
        int count = 0;
        char quote = 0;
        for (int i = 0; i < statement.length(); i++) {
            char c = statement.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '?') {
                count++;
            }
        }
        return count;
    }
}
