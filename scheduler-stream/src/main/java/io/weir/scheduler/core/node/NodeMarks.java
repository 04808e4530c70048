package io.weir.scheduler.core.node;

import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators attached to a node; it stays whatever the resource manager reports, except that a metric the resource
 * manager measures itself is the resource manager's. Immutable.
 *
 * @param variables by name
 * @param messages in the order attached
 * @param metrics by name
 * @param category category that holds until it is cleared; null for none
 */
public record NodeMarks(
        SortedMap<String, String> variables,
        List<String> messages,
        SortedMap<String, Double> metrics,
        @Nullable String category) {
    /** Nothing attached. */
    public static final NodeMarks NONE = new NodeMarks(new TreeMap<>(), List.of(), new TreeMap<>(), null);

    private static final String VARIABLE = "variable ";
    private static final String MESSAGE = "message";
    private static final String METRIC = "gmetric ";
    private static final String CATEGORY = "category";

    public NodeMarks {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        messages = List.copyOf(messages);
        metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
    }

    /** Reads the marks out of a stored version of a node. */
    static NodeMarks from(List<NameValue> records) {
        NodeMarks marks = NONE;
        for (NameValue record : records) {
            String name = record.getName();
            if (name.startsWith(VARIABLE)) {
                marks = marks.variable(name.substring(VARIABLE.length()), record.getValue());
            } else if (name.startsWith(METRIC)) {
                marks = marks.metric(name.substring(METRIC.length()), Double.valueOf(record.getValue()));
            } else if (name.equals(MESSAGE)) {
                marks = marks.message(record.getValue());
            } else if (name.equals(CATEGORY)) {
                marks = marks.category(record.getValue());
            }
        }
        return marks;
    }

    /** Returns the marks as a stored version of a node has them. */
    List<NameValue> toRecords() {
        List<NameValue> records = new ArrayList<>();
        variables.forEach((name, value) -> records.add(new NameValue(VARIABLE + name, value)));
        messages.forEach(text -> records.add(new NameValue(MESSAGE, text)));
        metrics.forEach((name, value) -> records.add(new NameValue(METRIC + name, value.toString())));
        String marked = category;
        if (marked != null) {
            records.add(new NameValue(CATEGORY, marked));
        }
        return List.copyOf(records);
    }

    /** Sets a variable; null takes it away. */
    public NodeMarks variable(String name, @Nullable String value) {
        SortedMap<String, String> changed = new TreeMap<>(variables);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new NodeMarks(changed, messages, metrics, category);
    }

    /** Attaches a message unless it is there. */
    public NodeMarks message(String text) {
        if (messages.contains(text)) {
            return this;
        }
        List<String> changed = new ArrayList<>(messages);
        changed.add(text);
        return new NodeMarks(variables, changed, metrics, category);
    }

    /** Takes a message away. */
    public NodeMarks withoutMessage(String text) {
        List<String> changed = new ArrayList<>(messages);
        changed.remove(text);
        return new NodeMarks(variables, changed, metrics, category);
    }

    /** Sets a metric; null takes it away. */
    public NodeMarks metric(String name, @Nullable Double value) {
        SortedMap<String, Double> changed = new TreeMap<>(metrics);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new NodeMarks(variables, messages, changed, category);
    }

    /** Sets the category; null clears it. */
    public NodeMarks category(@Nullable String name) {
        return new NodeMarks(variables, messages, metrics, name);
    }

    /** Returns these marks without variables. */
    public NodeMarks withoutVariables() {
        return new NodeMarks(new TreeMap<>(), messages, metrics, category);
    }

    /** Returns these marks without messages. */
    public NodeMarks withoutMessages() {
        return new NodeMarks(variables, List.of(), metrics, category);
    }

    /** Returns these marks without metrics. */
    public NodeMarks withoutMetrics() {
        return new NodeMarks(variables, messages, new TreeMap<>(), category);
    }

    /** Returns {@code marked} without these marks. What the resource manager says in their place its next report tells. */
    NodeAttributes off(NodeAttributes marked) {
        SortedMap<String, String> otherVariables = new TreeMap<>(marked.variables());
        variables.keySet().forEach(otherVariables::remove);
        List<String> otherMessages = new ArrayList<>(marked.messages());
        otherMessages.removeAll(messages);
        SortedMap<String, Double> otherMetrics = new TreeMap<>(marked.metrics());
        metrics.forEach((name, value) -> otherMetrics.remove(name, value));
        return marked.with(otherMetrics, otherVariables, otherMessages, category == null ? marked.category() : null);
    }

    /** Returns {@code reported} with these marks on it. */
    NodeAttributes on(NodeAttributes reported) {
        if (equals(NONE)) {
            return reported;
        }
        SortedMap<String, String> allVariables = new TreeMap<>(reported.variables());
        allVariables.putAll(variables);
        List<String> allMessages = new ArrayList<>(reported.messages());
        messages.stream().filter(text -> !allMessages.contains(text)).forEach(allMessages::add);
        SortedMap<String, Double> allMetrics = new TreeMap<>(metrics);
        allMetrics.putAll(reported.metrics());
        return reported.with(allMetrics, allVariables, allMessages, category == null ? reported.category() : category);
    }
}
