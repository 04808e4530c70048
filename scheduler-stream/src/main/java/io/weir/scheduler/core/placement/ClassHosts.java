package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.policy.ClassConfig;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The nodes that CLASSCFG HOSTLIST leaves to a class: named one by one, or by expressions found anywhere in a name. */
public final class ClassHosts implements Predicate<String> {
    /** What a node's name looks like; any other text is an expression. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private final SortedSet<String> names;
    private final List<Pattern> expressions;

    /** Reads the list of a class; without one its jobs may use every node. */
    public ClassHosts(ClassConfig jobClass) {
        names = new TreeSet<>(jobClass.hosts());
        expressions = jobClass.hosts().stream()
                .filter(host -> !NAME.matcher(host).matches())
                .map(Pattern::compile)
                .toList();
    }

    /** Returns whether jobs of the class may use the node of that name. */
    @Override
    public boolean test(String node) {
        return names.isEmpty()
                || names.contains(node)
                || expressions.stream()
                        .anyMatch(expression -> expression.matcher(node).find());
    }
}
