package io.weir.scheduler.core.node;

import io.weir.scheduler.core.mark.Annotations;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What others than its resource manager say of a node: operators, and monitoring. It stays whatever the resource manager
 * reports, except that a metric the resource manager measures itself is the resource manager's. Immutable.
 *
 * @param named variables and metrics that operators attached
 * @param messages in the order attached
 * @param category category that holds until it is cleared; null for none
 * @param failing who expects it to fail, and why; null where nobody does
 * @param measured metrics that monitoring told, by name; none of them is reported by the resource manager
 */
public record NodeAnnotations(
        Annotations named,
        List<String> messages,
        @Nullable String category,
        @Nullable String failing,
        SortedMap<String, Double> measured) {
    /** Nothing attached. */
    public static final NodeAnnotations NONE =
            new NodeAnnotations(Annotations.NONE, List.of(), null, null, Collections.emptySortedMap());

    private static final String MESSAGE = "message";
    private static final String CATEGORY = "category";
    private static final String FAILING = "failing";

    public NodeAnnotations {
        messages = List.copyOf(messages);
        measured = Collections.unmodifiableSortedMap(measured);
    }

    /** Reads the annotations out of a stored version of a node. */
    static NodeAnnotations from(List<NameValue> records, List<Measurement> measurements) {
        NodeAnnotations annotations = NONE.named(Annotations.from(records));
        for (NameValue record : records) {
            if (record.getName().equals(MESSAGE)) {
                annotations = annotations.message(record.getValue());
            } else if (record.getName().equals(CATEGORY)) {
                annotations = annotations.category(record.getValue());
            } else if (record.getName().equals(FAILING)) {
                annotations = annotations.failing(record.getValue());
            }
        }
        SortedMap<String, Double> metrics = new TreeMap<>();
        measurements.forEach(each -> metrics.put(each.getName(), each.getValue()));
        return annotations.measured(metrics);
    }

    /** Returns what monitoring measures as a stored version of a node has it. */
    List<Measurement> measurements() {
        return measured.entrySet().stream()
                .map(metric -> new Measurement(metric.getKey(), metric.getValue()))
                .toList();
    }

    /** Returns what operators attached as a stored version of a node has it. */
    List<NameValue> toRecords() {
        List<NameValue> records = new ArrayList<>(named.variableRecords());
        messages.forEach(text -> records.add(new NameValue(MESSAGE, text)));
        records.addAll(named.metricRecords());
        String marked = category;
        if (marked != null) {
            records.add(new NameValue(CATEGORY, marked));
        }
        String expected = failing;
        if (expected != null) {
            records.add(new NameValue(FAILING, expected));
        }
        return List.copyOf(records);
    }

    /** Says who expects the node to fail, and why; null says that nobody does. */
    public NodeAnnotations failing(@Nullable String why) {
        return new NodeAnnotations(named, messages, category, why, measured);
    }

    /** Says what monitoring measures of the node, in place of what it did before. */
    NodeAnnotations measured(SortedMap<String, Double> metrics) {
        return new NodeAnnotations(named, messages, category, failing, metrics);
    }

    /** Returns these annotations without the measured metrics among {@code names}: their resource manager tells them. */
    NodeAnnotations notMeasuring(Set<String> names) {
        if (Collections.disjoint(measured.keySet(), names)) {
            return this;
        }
        SortedMap<String, Double> others = new TreeMap<>(measured);
        others.keySet().removeAll(names);
        return measured(others);
    }

    /** Returns whether metric {@code name} of a node, {@code value}, is what is said here and not its resource manager's. */
    boolean tells(String name, Double value) {
        return value.equals(
                measured.containsKey(name)
                        ? measured.get(name)
                        : named.metrics().get(name));
    }

    /** Returns these annotations with other variables and metrics. */
    public NodeAnnotations named(Annotations others) {
        return new NodeAnnotations(others, messages, category, failing, measured);
    }

    /** Attaches a message unless it is there. */
    public NodeAnnotations message(String text) {
        if (messages.contains(text)) {
            return this;
        }
        List<String> changed = new ArrayList<>(messages);
        changed.add(text);
        return new NodeAnnotations(named, changed, category, failing, measured);
    }

    /** Takes a message away. */
    public NodeAnnotations withoutMessage(String text) {
        List<String> changed = new ArrayList<>(messages);
        changed.remove(text);
        return new NodeAnnotations(named, changed, category, failing, measured);
    }

    /** Sets the category; null clears it. */
    public NodeAnnotations category(@Nullable String name) {
        return new NodeAnnotations(named, messages, name, failing, measured);
    }

    /** Returns these annotations without messages. */
    public NodeAnnotations withoutMessages() {
        return new NodeAnnotations(named, List.of(), category, failing, measured);
    }

    /** Returns {@code marked} without these annotations. What the resource manager says in their place its next report tells. */
    NodeAttributes off(NodeAttributes marked) {
        SortedMap<String, String> otherVariables = new TreeMap<>(marked.variables());
        named.variables().forEach((name, value) -> otherVariables.remove(name));
        List<String> otherMessages = new ArrayList<>(marked.messages());
        otherMessages.removeAll(messages);
        SortedMap<String, Double> otherMetrics = new TreeMap<>(marked.metrics());
        named.metrics().forEach((name, value) -> otherMetrics.remove(name, value));
        measured.forEach((name, value) -> otherMetrics.remove(name, value));
        return marked.with(otherMetrics, otherVariables, otherMessages, category == null ? marked.category() : null);
    }

    /** Returns {@code reported} with these annotations on it. */
    NodeAttributes on(NodeAttributes reported) {
        if (equals(NONE)) {
            return reported;
        }
        SortedMap<String, String> allVariables = new TreeMap<>(reported.variables());
        allVariables.putAll(named.variables());
        List<String> allMessages = new ArrayList<>(reported.messages());
        messages.stream().filter(text -> !allMessages.contains(text)).forEach(allMessages::add);
        SortedMap<String, Double> allMetrics = new TreeMap<>(named.metrics());
        allMetrics.putAll(measured);
        allMetrics.putAll(reported.metrics());
        return reported.with(allMetrics, allVariables, allMessages, category == null ? reported.category() : category);
    }
}
