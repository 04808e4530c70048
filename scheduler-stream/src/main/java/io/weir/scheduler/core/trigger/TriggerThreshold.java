package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.event.MetricOperator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A threshold: {@code gmetric[temp]>34}, {@code usage>75}. Immutable.
 *
 * @param measured what is measured, as written without the name of a generic metric
 * @param metric the same; null where nothing of that name is measured
 * @param name name of a generic metric; empty for the others
 * @param operator how it is compared; never {@link MetricOperator#DIFFERENT}
 * @param limit with what
 */
public record TriggerThreshold(
        String measured, @Nullable TriggerMetric metric, String name, MetricOperator operator, double limit) {
    private static final String GENERIC = "gmetric[";

    /** No metric has a larger value. */
    private static final double LARGEST = 1e15;

    /** Reads a threshold; null when {@code text} is none. */
    static @Nullable TriggerThreshold of(String text) {
        for (int i = 1; i < text.length(); i++) {
            Optional<MetricOperator> operator = MetricOperator.startOf(text.substring(i));
            if (operator.isPresent()) {
                return of(
                        text.substring(0, i),
                        operator.get(),
                        text.substring(i + operator.get().sign().length()));
            }
        }
        return null;
    }

    private static @Nullable TriggerThreshold of(String measured, MetricOperator operator, String number) {
        double limit;
        try {
            limit = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            return null;
        }
        if (!(Math.abs(limit) <= LARGEST) || operator == MetricOperator.DIFFERENT) {
            return null;
        }
        boolean generic =
                measured.startsWith(GENERIC) && measured.endsWith("]") && measured.length() > GENERIC.length() + 1;
        return generic
                ? new TriggerThreshold(
                        TriggerMetric.GMETRIC.word(),
                        TriggerMetric.GMETRIC,
                        measured.substring(GENERIC.length(), measured.length() - 1),
                        operator,
                        limit)
                : new TriggerThreshold(measured, TriggerMetric.of(measured), "", operator, limit);
    }

    /** Returns whether {@code objectType} is measured so. */
    boolean fits(String objectType) {
        return metric != null && metric.fits(objectType);
    }

    /** Returns whether {@code value} passes it. */
    public boolean passed(double value) {
        return operator.holds(value, limit);
    }

    /** Returns the name of the condition under which the reduction of metrics reports it, as in {@code temp>34.0}. */
    public String condition() {
        String number = limit == Math.rint(limit) && Math.abs(limit) < 1e15
                ? Long.toString((long) limit)
                : Double.toString(limit);
        return name + operator.sign() + number;
    }
}
