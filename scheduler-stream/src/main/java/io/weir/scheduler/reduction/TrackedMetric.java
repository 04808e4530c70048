package io.weir.scheduler.reduction;

import io.weir.scheduler.core.event.MetricCondition;
import io.weir.scheduler.state.TrackedCondition;

/** One condition on one node: the moving average of its metric, and whether it holds. One thread. */
final class TrackedMetric {
    private static final long MILLIS = 1_000;

    private double average;
    private long time;
    private boolean active;
    private long raised;

    private TrackedMetric(double average, long time, boolean active, long raised) {
        this.average = average;
        this.time = time;
        this.active = active;
        this.raised = raised;
    }

    /** What a value changed. */
    enum Outcome {
        /** The condition is what it was. */
        SAME,
        /** It began to hold. */
        RAISED,
        /** It still holds, and is due to be reported again. */
        REPEATED,
        /** It is over. */
        OVER,
        /** The value is older than the last one and was passed over. */
        LATE
    }

    /** Begins with a first value, in milliseconds since 1970; nothing holds before {@link #take} saw it. */
    static TrackedMetric first(double value, long time) {
        return new TrackedMetric(value, time, false, 0);
    }

    /** Returns what was stored, with nothing later than {@code now}. */
    static TrackedMetric from(TrackedCondition stored, long now) {
        return new TrackedMetric(
                stored.getAverage(),
                Math.min(stored.getTime(), now),
                stored.getActive(),
                Math.min(stored.getRaised(), now));
    }

    TrackedCondition toRecord(String name) {
        return new TrackedCondition(name, average, time, active, raised);
    }

    /**
     * Takes a value into account.
     *
     * @param at when it was measured, milliseconds since 1970
     */
    Outcome take(MetricCondition condition, double value, long at) {
        if (at < time) {
            return Outcome.LATE;
        }
        average = MovingAverage.next(average, value, at - time, condition.smoothingSeconds() * MILLIS);
        time = at;
        boolean holds = active ? condition.lasts(average) : condition.begins(average);
        if (holds == active) {
            return holds && isDueAgain(condition, at) ? raise(Outcome.REPEATED, at) : Outcome.SAME;
        }
        active = holds;
        return holds ? raise(Outcome.RAISED, at) : Outcome.OVER;
    }

    private boolean isDueAgain(MetricCondition condition, long at) {
        return condition.rearmSeconds() > 0 && at - raised >= condition.rearmSeconds() * MILLIS;
    }

    private Outcome raise(Outcome outcome, long at) {
        raised = at;
        return outcome;
    }

    double average() {
        return average;
    }

    /** Returns when the last value was measured, milliseconds since 1970. */
    long time() {
        return time;
    }

    boolean isActive() {
        return active;
    }
}
