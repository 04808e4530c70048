package io.weir.scheduler.core.event;

import java.util.Optional;

/**
 * A condition on a metric of a node, as in {@code GEVENTCFG[temp>50]}: an event of that name is raised when it begins to
 * hold. Immutable.
 *
 * @param name the condition as written, which is the name of the event
 * @param metric name of the metric, case-sensitive
 * @param operator how the metric is compared
 * @param limit with what
 * @param hysteresis how far the metric has to come back before the condition is over; 0 or more
 * @param smoothingSeconds time constant of the moving average that is compared; 0 for the value itself
 * @param rearmSeconds after how long the event is raised again while the condition holds; 0 for never
 */
public record MetricCondition(
        String name,
        String metric,
        MetricOperator operator,
        double limit,
        double hysteresis,
        long smoothingSeconds,
        long rearmSeconds) {

    /** Reads {@code name}, such as {@code temp>=50.5}; empty when it is no condition but the plain name of an event. */
    static Optional<MetricCondition> of(String name, double hysteresis, long smoothingSeconds, long rearmSeconds) {
        for (int i = 1; i < name.length(); i++) {
            Optional<MetricOperator> operator = MetricOperator.startOf(name.substring(i));
            if (operator.isPresent()) {
                if (looksLikeOne(name.substring(0, i))) {
                    return Optional.empty();
                }
                String number = name.substring(i + operator.get().sign().length());
                return limit(number)
                        .map(limit -> new MetricCondition(
                                name,
                                name.substring(
                                        0,
                                        name.length()
                                                - number.length()
                                                - operator.get().sign().length()),
                                operator.get(),
                                limit,
                                hysteresis,
                                smoothingSeconds,
                                rearmSeconds));
            }
        }
        return Optional.empty();
    }

    /** Says whether {@code name} is meant as a condition, well-formed or not. */
    static boolean looksLikeOne(String name) {
        return name.chars().anyMatch(c -> c == '<' || c == '>' || c == '=');
    }

    private static Optional<Double> limit(String text) {
        try {
            double limit = Double.parseDouble(text);
            return Double.isFinite(limit) && Math.abs(limit) <= LARGEST ? Optional.of(limit) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** No metric has a larger value. */
    private static final double LARGEST = 1e15;

    /** Says whether it begins to hold at {@code value}. */
    public boolean begins(double value) {
        return operator.holds(value, limit);
    }

    /** Says whether it still holds at {@code value}, once begun. */
    public boolean lasts(double value) {
        return operator.holds(value, operator.released(limit, hysteresis));
    }
}
