package io.weir.scheduler.core.job;

import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators attached to a job beside its messages; it stays whatever the resource manager reports. Immutable.
 *
 * @param variables by name
 * @param metrics by name
 */
public record JobMarks(SortedMap<String, String> variables, SortedMap<String, Double> metrics) {
    /** Nothing attached. */
    public static final JobMarks NONE = new JobMarks(new TreeMap<>(), new TreeMap<>());

    private static final String VARIABLE = "variable ";
    private static final String METRIC = "gmetric ";

    public JobMarks {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
    }

    /** Reads the marks out of a stored version of a job. */
    static JobMarks from(List<NameValue> records) {
        if (records.isEmpty()) {
            return NONE;
        }
        JobMarks marks = NONE;
        for (NameValue record : records) {
            String name = record.getName();
            if (name.startsWith(VARIABLE)) {
                marks = marks.variable(name.substring(VARIABLE.length()), record.getValue());
            } else if (name.startsWith(METRIC)) {
                marks = marks.metric(name.substring(METRIC.length()), Double.valueOf(record.getValue()));
            }
        }
        return marks;
    }

    /** Returns the marks as a stored version of a job has them. */
    List<NameValue> toRecords() {
        if (variables.isEmpty() && metrics.isEmpty()) {
            return List.of();
        }
        List<NameValue> records = new ArrayList<>();
        metrics.forEach((name, value) -> records.add(new NameValue(METRIC + name, value.toString())));
        variables.forEach((name, value) -> records.add(new NameValue(VARIABLE + name, value)));
        return List.copyOf(records);
    }

    /** Sets a variable; null takes it away. */
    public JobMarks variable(String name, @Nullable String value) {
        return new JobMarks(changed(variables, name, value), metrics);
    }

    /** Sets a metric; null takes it away. */
    public JobMarks metric(String name, @Nullable Double value) {
        return new JobMarks(variables, changed(metrics, name, value));
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
