package io.weir.scheduler.core.job.extension;

import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One part of {@code nodes=n[:ppn=k][:feature…]+…}: so many groups of tasks, each group whole on one node.
 *
 * @param count groups, at least 1
 * @param host the node asked for by name, whose one group it is; null for any
 * @param perGroup tasks of a group, at least 1; null when not given
 * @param features features its nodes need, sorted
 */
public record NodesClause(
        int count, @Nullable String host, @Nullable Integer perGroup, List<String> features) {
    private static final int MOST = 1_000_000;

    /** Parts of one value: each is a requirement of its own. */
    private static final int MOST_PARTS = Limit.REQUIREMENTS;

    public NodesClause {
        features = List.copyOf(features);
    }

    /**
     * Reads the whole value, parts divided by {@code +}.
     *
     * @throws BadValueException when a part is not legal; the message quotes it
     */
    static List<NodesClause> parse(String text) throws BadValueException {
        List<NodesClause> clauses = new ArrayList<>();
        long tasks = 0;
        long largest = 0;
        String[] parts = text.split("\\+", -1);
        if (parts.length > MOST_PARTS) {
            throw new BadValueException("has " + parts.length + " parts; at most " + MOST_PARTS + " are allowed");
        }
        for (String part : parts) {
            NodesClause clause = clause(part);
            long here = (long) clause.count * (clause.perGroup == null ? 1 : clause.perGroup);
            tasks += here;
            largest = Math.max(largest, here);
            if (tasks > Limit.PROCS) {
                throw new BadValueException(
                        "'" + part + "' makes it " + tasks + " tasks; at most " + Limit.PROCS + " are allowed in all");
            }
            clauses.add(clause);
        }
        if (tasks - largest > Limit.FURTHER_TASKS) {
            throw new BadValueException("has " + (tasks - largest) + " tasks in all parts but the largest; at most "
                    + Limit.FURTHER_TASKS + " are allowed");
        }
        return clauses;
    }

    private static NodesClause clause(String part) throws BadValueException {
        String[] words = part.split(":", -1);
        boolean counted = !words[0].isEmpty() && words[0].chars().allMatch(c -> c >= '0' && c <= '9');
        if (words[0].isEmpty()) {
            throw new BadValueException("'" + part + "' has to look like n[:ppn=k][:feature]");
        }
        int count = counted ? number(words[0], part) : 1;
        Integer perGroup = null;
        TreeSet<String> features = new TreeSet<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0 && !words[i].isEmpty()) {
                features.add(words[i]);
            } else if (equals > 0 && words[i].substring(0, equals).equalsIgnoreCase("ppn")) {
                perGroup = number(words[i].substring(equals + 1), part);
            } else {
                throw new BadValueException("'" + words[i] + "' in '" + part + "' is neither ppn=k nor a feature");
            }
        }
        return new NodesClause(count, counted ? null : words[0], perGroup, List.copyOf(features));
    }

    private static int number(String digits, String part) throws BadValueException {
        if (!digits.isEmpty() && digits.length() <= 7 && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            int number = Integer.parseInt(digits);
            if (number >= 1 && number <= MOST) {
                return number;
            }
        }
        throw new BadValueException("'" + digits + "' in '" + part + "' is not a number from 1 to " + MOST);
    }

    /** Returns the tasks of all groups. */
    public int tasks() {
        return count * (perGroup == null ? 1 : perGroup);
    }
}
