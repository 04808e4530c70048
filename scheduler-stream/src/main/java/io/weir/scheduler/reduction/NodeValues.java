package io.weir.scheduler.reduction;

import io.weir.scheduler.core.event.ForwardedMetric;
import io.weir.scheduler.core.event.ForwardedMetrics;
import io.weir.scheduler.state.ConditionStatus;
import io.weir.scheduler.state.TrackedValue;
import io.weir.schemas.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one node that the scheduler is told of, and what it was told. All are told together: when one of them has
 * moved far enough, and from time to time anyway, for a scheduler that did not know the node before. One thread.
 */
final class NodeValues {
    /** After this time the scheduler is told what it knows already. */
    static final long REPEATED_MILLIS = Duration.ofMinutes(10).toMillis();

    private static final long SECOND = 1_000;
    private static final long OWED = -1;

    /** By metric. */
    private final SortedMap<String, Value> values = new TreeMap<>();

    /** Milliseconds since 1970; 0 for never, {@link #OWED} when values that were told are gone. */
    private long toldTime;

    /** Returns what was stored, with no value later than {@code now}. */
    static NodeValues from(ConditionStatus status, long now) {
        NodeValues node = new NodeValues();
        for (TrackedValue value : status.getValues()) {
            node.values.put(
                    value.getName(), new Value(value.getAverage(), Math.min(value.getTime(), now), value.getTold()));
        }
        node.toldTime = status.getToldTime();
        return node;
    }

    List<TrackedValue> toRecords() {
        return values.entrySet().stream()
                .map(value -> value.getValue().toRecord(value.getKey()))
                .toList();
    }

    long toldTime() {
        return toldTime;
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns when the last value was measured, milliseconds since 1970; 0 for never. */
    long lastValue() {
        return values.values().stream().mapToLong(value -> value.time).max().orElse(0);
    }

    /**
     * Takes a value of {@code metric} into account.
     *
     * @param at when it was measured, milliseconds since 1970
     * @return false when it is older than the last one and was passed over
     */
    boolean take(ForwardedMetric metric, double value, long at) {
        Value known = values.get(metric.name());
        if (known == null) {
            values.put(metric.name(), new Value(value, at, null));
            return true;
        }
        if (at < known.time) {
            return false;
        }
        known.average = MovingAverage.next(known.average, value, at - known.time, metric.smoothingSeconds() * SECOND);
        known.time = at;
        return true;
    }

    /** Forgets metrics that are none of {@code rules}, and those that were measured last before {@code since}. */
    void keep(ForwardedMetrics rules, long since) {
        boolean gone = values.entrySet()
                .removeIf(value -> rules.find(value.getKey()) == null || value.getValue().time < since);
        if (gone && toldTime != 0) {
            toldTime = OWED;
        }
    }

    /** Returns whether the scheduler is to be told at {@code now}. */
    boolean isDue(ForwardedMetrics rules, long now) {
        if (toldTime == OWED) {
            return true;
        }
        if (values.isEmpty()) {
            return false;
        }
        long ago = now - toldTime;
        // A clock that was set back must not keep the scheduler waiting.
        if (ago >= REPEATED_MILLIS || ago < 0) {
            return true;
        }
        for (Map.Entry<String, Value> each : values.entrySet()) {
            ForwardedMetric metric = rules.find(each.getKey());
            if (metric != null
                    && ago >= metric.intervalSeconds() * SECOND
                    && each.getValue().isNews(metric)) {
                return true;
            }
        }
        return false;
    }

    /** Returns all values, which count as told from now on. */
    List<Measurement> tell(long now) {
        toldTime = now;
        values.values().forEach(value -> value.told = value.average);
        return values.entrySet().stream()
                .map(value -> new Measurement(value.getKey(), value.getValue().average))
                .toList();
    }

    private static final class Value {
        private double average;
        private long time;
        private @Nullable Double told;

        Value(double average, long time, @Nullable Double told) {
            this.average = average;
            this.time = time;
            this.told = told;
        }

        boolean isNews(ForwardedMetric metric) {
            return told == null || metric.isNews(average, told);
        }

        TrackedValue toRecord(String name) {
            return new TrackedValue(name, average, time, told);
        }
    }
}
