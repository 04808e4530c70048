package io.weir.scheduler.core.mark;

import io.weir.schemas.NameValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Variables and metrics that operators attached; they stay whatever the resource manager reports. Immutable.
 *
 * @param variables by name
 * @param metrics by name
 */
public record Annotations(SortedMap<String, String> variables, SortedMap<String, Double> metrics) {
    /** Nothing attached. */
    public static final Annotations NONE = new Annotations(new TreeMap<>(), new TreeMap<>());

    /** Variables and metrics together that operators may attach to one thing. */
    public static final int MOST = 256;

    /** Characters of their names and values together. */
    public static final int MOST_TEXT = 32_768;

    private static final String VARIABLE = "variable ";
    private static final String METRIC = "gmetric ";

    public Annotations {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
    }

    /** Reads the annotations out of a stored version; what is neither variable nor metric is passed over. */
    public static Annotations from(List<NameValue> records) {
        Annotations annotations = NONE;
        for (NameValue record : records) {
            String name = record.getName();
            if (name.startsWith(VARIABLE)) {
                annotations = annotations.variable(name.substring(VARIABLE.length()), record.getValue());
            } else if (name.startsWith(METRIC)) {
                annotations = annotations.metric(name.substring(METRIC.length()), Double.valueOf(record.getValue()));
            }
        }
        return annotations;
    }

    /** Returns the variables as a stored version has them. */
    public List<NameValue> variableRecords() {
        return variables.isEmpty()
                ? List.of()
                : variables.entrySet().stream()
                        .map(entry -> new NameValue(VARIABLE + entry.getKey(), entry.getValue()))
                        .toList();
    }

    /** Returns the metrics as a stored version has them. */
    public List<NameValue> metricRecords() {
        return metrics.isEmpty()
                ? List.of()
                : metrics.entrySet().stream()
                        .map(entry -> new NameValue(
                                METRIC + entry.getKey(), entry.getValue().toString()))
                        .toList();
    }

    /** Returns whether they are no more than may be attached. */
    public boolean fits() {
        long characters = 0;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            characters += variable.getKey().length() + variable.getValue().length();
        }
        for (String name : metrics.keySet()) {
            characters += name.length();
        }
        return variables.size() + metrics.size() <= MOST && characters <= MOST_TEXT;
    }

    /** Sets a variable; null takes it away. */
    public Annotations variable(String name, @Nullable String value) {
        return new Annotations(changed(variables, name, value), metrics);
    }

    /** Sets a metric; null takes it away. */
    public Annotations metric(String name, @Nullable Double value) {
        return new Annotations(variables, changed(metrics, name, value));
    }

    /** Returns these annotations without variables. */
    public Annotations withoutVariables() {
        return new Annotations(new TreeMap<>(), metrics);
    }

    /** Returns these annotations without metrics. */
    public Annotations withoutMetrics() {
        return new Annotations(variables, new TreeMap<>());
    }

    private static <T> SortedMap<String, T> changed(SortedMap<String, T> of, String name, @Nullable T value) {
        SortedMap<String, T> next = new TreeMap<>(of);
        if (value == null) {
            next.remove(name);
        } else {
            next.put(name, value);
        }
        return next;
    }
}
