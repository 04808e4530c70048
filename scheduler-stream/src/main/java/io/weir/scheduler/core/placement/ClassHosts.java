package io.weir.scheduler.core.placement;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.scheduler.core.policy.job.ClassConfig;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The nodes that CLASSCFG HOSTLIST leaves to a class: named one by one, or by expressions found anywhere in a name. */
public final class ClassHosts implements Predicate<String> {
    /** What a node's name looks like; any other text is an expression. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private final SortedSet<String> names;
    private final List<Expression> expressions;

    /** Reads the list of a class; without one its jobs may use every node. */
    public ClassHosts(ClassConfig jobClass) {
        names = new TreeSet<>(jobClass.hosts());
        expressions = jobClass.hosts().stream()
                .filter(host -> !NAME.matcher(host).matches())
                .map(ClassHosts::expression)
                .toList();
    }

    /** Returns whether jobs of the class may use the node of that name. */
    @Override
    public boolean test(String node) {
        return names.isEmpty()
                || names.contains(node)
                || expressions.stream().anyMatch(expression -> expression.isIn(node));
    }

    private static Expression expression(String checked) {
        try {
            return Expression.of(checked);
        } catch (BadExpressionException e) {
            throw new IllegalStateException("CLASSCFG HOSTLIST was read with " + e.reason(), e);
        }
    }
}
