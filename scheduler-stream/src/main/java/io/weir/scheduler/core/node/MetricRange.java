package io.weir.scheduler.core.node;

import io.weir.schemas.MetricSummary;
import java.time.Instant;

/**
 * What was seen of a metric since a node reports it. A value holds until another is reported, so that the average is one
 * over time, however often a resource manager repeats itself. Immutable.
 *
 * @param least least value seen
 * @param most greatest value seen
 * @param sum values before the current one, each times the seconds it held
 * @param since when it was first seen, epoch seconds
 * @param at since when it has its current value, epoch seconds
 */
public record MetricRange(double least, double most, double sum, long since, long at) {
    static MetricRange from(MetricSummary record) {
        return new MetricRange(
                record.getLeast(),
                record.getMost(),
                record.getSum(),
                record.getSince().getEpochSecond(),
                record.getAt().getEpochSecond());
    }

    static MetricRange first(double value, long now) {
        return new MetricRange(value, value, 0, now, now);
    }

    MetricSummary toRecord(String name) {
        return new MetricSummary(name, least, most, sum, Instant.ofEpochSecond(since), Instant.ofEpochSecond(at));
    }

    /** Returns what was seen once {@code value} took the place of {@code before}. */
    MetricRange changed(double before, double value, long now) {
        return new MetricRange(
                Math.min(least, value),
                Math.max(most, value),
                sum + before * Math.max(0, now - at),
                since,
                Math.max(at, now));
    }

    /** Returns the average over time until {@code now}, given the value since {@link #at}. */
    public double average(double current, long now) {
        long seconds = now - since;
        return seconds <= 0 ? current : (sum + current * Math.max(0, now - at)) / seconds;
    }
}
