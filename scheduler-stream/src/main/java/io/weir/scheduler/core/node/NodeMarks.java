package io.weir.scheduler.core.node;

import io.weir.scheduler.core.mark.Marks;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators attached to a node; it stays whatever the resource manager reports, except that a metric the resource
 * manager measures itself is the resource manager's. Immutable.
 *
 * @param named variables and metrics
 * @param messages in the order attached
 * @param category category that holds until it is cleared; null for none
 */
public record NodeMarks(
        Marks named, List<String> messages, @Nullable String category) {
    /** Nothing attached. */
    public static final NodeMarks NONE = new NodeMarks(Marks.NONE, List.of(), null);

    private static final String MESSAGE = "message";
    private static final String CATEGORY = "category";

    public NodeMarks {
        messages = List.copyOf(messages);
    }

    /** Reads the marks out of a stored version of a node. */
    static NodeMarks from(List<NameValue> records) {
        NodeMarks marks = NONE.named(Marks.from(records));
        for (NameValue record : records) {
            if (record.getName().equals(MESSAGE)) {
                marks = marks.message(record.getValue());
            } else if (record.getName().equals(CATEGORY)) {
                marks = marks.category(record.getValue());
            }
        }
        return marks;
    }

    /** Returns the marks as a stored version of a node has them. */
    List<NameValue> toRecords() {
        List<NameValue> records = new ArrayList<>(named.variableRecords());
        messages.forEach(text -> records.add(new NameValue(MESSAGE, text)));
        records.addAll(named.metricRecords());
        String marked = category;
        if (marked != null) {
            records.add(new NameValue(CATEGORY, marked));
        }
        return List.copyOf(records);
    }

    /** Returns these marks with other variables and metrics. */
    public NodeMarks named(Marks others) {
        return new NodeMarks(others, messages, category);
    }

    /** Attaches a message unless it is there. */
    public NodeMarks message(String text) {
        if (messages.contains(text)) {
            return this;
        }
        List<String> changed = new ArrayList<>(messages);
        changed.add(text);
        return new NodeMarks(named, changed, category);
    }

    /** Takes a message away. */
    public NodeMarks withoutMessage(String text) {
        List<String> changed = new ArrayList<>(messages);
        changed.remove(text);
        return new NodeMarks(named, changed, category);
    }

    /** Sets the category; null clears it. */
    public NodeMarks category(@Nullable String name) {
        return new NodeMarks(named, messages, name);
    }

    /** Returns these marks without messages. */
    public NodeMarks withoutMessages() {
        return new NodeMarks(named, List.of(), category);
    }

    /** Returns {@code marked} without these marks. What the resource manager says in their place its next report tells. */
    NodeAttributes off(NodeAttributes marked) {
        SortedMap<String, String> otherVariables = new TreeMap<>(marked.variables());
        named.variables().forEach((name, value) -> otherVariables.remove(name));
        List<String> otherMessages = new ArrayList<>(marked.messages());
        otherMessages.removeAll(messages);
        SortedMap<String, Double> otherMetrics = new TreeMap<>(marked.metrics());
        named.metrics().forEach((name, value) -> otherMetrics.remove(name, value));
        return marked.with(otherMetrics, otherVariables, otherMessages, category == null ? marked.category() : null);
    }

    /** Returns {@code reported} with these marks on it. */
    NodeAttributes on(NodeAttributes reported) {
        if (equals(NONE)) {
            return reported;
        }
        SortedMap<String, String> allVariables = new TreeMap<>(reported.variables());
        allVariables.putAll(named.variables());
        List<String> allMessages = new ArrayList<>(reported.messages());
        messages.stream().filter(text -> !allMessages.contains(text)).forEach(allMessages::add);
        SortedMap<String, Double> allMetrics = new TreeMap<>(named.metrics());
        allMetrics.putAll(reported.metrics());
        return reported.with(allMetrics, allVariables, allMessages, category == null ? reported.category() : category);
    }
}
