package io.weir.scheduler.core.reservation.control;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.ClassHosts;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes a text names: {@code ALL}, {@code class:<c>}, {@code r:<a>-<b>} by index or by names that differ in their last
 * number, a comma list of exact names, or else a regular expression found anywhere in the name.
 *
 * @param positions nodes it names
 * @param problem why it names none; null when it makes sense
 */
record HostExpression(BitSet positions, @Nullable String problem) {
    /** Instructions × nodes that one expression may cost for each character of a name. */
    private static final long MOST_WORK = 20_000_000;

    /** Begins an expression for the nodes of a class. */
    private static final String CLASS = "class:";

    private static final Pattern INDEXES = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
    private static final Pattern NUMBERED = Pattern.compile("(.*?)(\\d{1,9})-(.*?)(\\d{1,9})");

    /** Finds the nodes {@code text} names at present. */
    static HostExpression of(String text, NodeTable nodes, SitePolicy policy) {
        if (text.isBlank()) {
            return wrong("no nodes are named; give names, an expression, class:NAME, r:A-B, or ALL for every node");
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals("all") || lower.equals("*")) {
            return matching(nodes, node -> true);
        }
        Optional<String> jobClass = jobClass(text);
        if (jobClass.isPresent()) {
            String name = jobClass.get();
            ClassHosts admitted = new ClassHosts(policy.jobClass(name));
            return matching(nodes, node -> node.accepts(name) && admitted.test(node.id()));
        }
        if (lower.startsWith("r:")) {
            return range(text.substring(2), nodes);
        }
        return isList(text) ? list(text, nodes) : pattern(text, nodes);
    }

    /** Returns the class whose nodes {@code text} means; empty where it means others. */
    static Optional<String> jobClass(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith(CLASS)
                ? Optional.of(text.substring(CLASS.length()))
                : Optional.empty();
    }

    private static HostExpression range(String text, NodeTable nodes) {
        Matcher indexes = INDEXES.matcher(text);
        if (indexes.matches()) {
            int first = Integer.parseInt(indexes.group(1));
            int last = Integer.parseInt(indexes.group(2));
            return matching(nodes, node -> node.index() >= first && node.index() <= last);
        }
        Matcher names = NUMBERED.matcher(text);
        if (!names.matches() || !names.group(1).equals(names.group(3))) {
            return wrong("'r:" + text + "' is no range; write r:<index>-<index> or r:<name><n>-<name><m>");
        }
        String prefix = names.group(1);
        long first = Long.parseLong(names.group(2));
        long last = Long.parseLong(names.group(4));
        return matching(nodes, node -> {
            String rest = node.id().startsWith(prefix) ? node.id().substring(prefix.length()) : "";
            boolean number =
                    !rest.isEmpty() && rest.length() < 10 && rest.chars().allMatch(c -> c >= '0' && c <= '9');
            return number && Long.parseLong(rest) >= first && Long.parseLong(rest) <= last;
        });
    }

    private static boolean isList(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '[' || c == '{' || c == '(') {
                depth++;
            } else if (c == ']' || c == '}' || c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                return true;
            }
        }
        return false;
    }

    private static HostExpression list(String text, NodeTable nodes) {
        BitSet positions = new BitSet();
        for (String name : text.split(",", -1)) {
            int position = nodes.position(name.trim());
            if (position < 0) {
                return wrong(
                        name.isBlank() ? "a name is missing in the list '" + text + "'" : "no node " + name.trim());
            }
            positions.set(position);
        }
        return new HostExpression(positions, null);
    }

    private static HostExpression pattern(String text, NodeTable nodes) {
        try {
            Expression expression = Expression.of(text);
            if ((long) expression.instructions() * nodes.size() > MOST_WORK) {
                return wrong("'" + text + "' is too large a regular expression for " + nodes.size()
                        + " nodes; name them in a list or by r:<index>-<index>");
            }
            return matching(nodes, node -> expression.isIn(node.id()));
        } catch (BadExpressionException e) {
            return wrong(e.reason());
        }
    }

    private static HostExpression matching(NodeTable nodes, Predicate<EffectiveNode> wanted) {
        BitSet positions = new BitSet();
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.at(i).configured().procs() > 0 && wanted.test(nodes.at(i))) {
                positions.set(i);
            }
        }
        return new HostExpression(positions, null);
    }

    private static HostExpression wrong(String problem) {
        return new HostExpression(new BitSet(), problem);
    }
}
