package io.weir.scheduler.core.event;

import java.util.List;
import java.util.Optional;

/** How a metric is compared with the value of a condition. */
public enum MetricOperator {
    AT_LEAST(">="),
    AT_MOST("<="),
    EQUAL("=="),
    DIFFERENT("<>"),
    ABOVE(">"),
    BELOW("<");

    /** Longer ones first: one of two characters begins with one of one. */
    private static final List<MetricOperator> ALL = List.of(values());

    private final String sign;

    MetricOperator(String sign) {
        this.sign = sign;
    }

    /** Returns how it is written. */
    public String sign() {
        return sign;
    }

    /** Returns the operator that {@code text} begins with. */
    public static Optional<MetricOperator> startOf(String text) {
        return ALL.stream().filter(each -> text.startsWith(each.sign)).findFirst();
    }

    /** Says whether {@code value} compares so with {@code limit}. */
    public boolean holds(double value, double limit) {
        return switch (this) {
            case AT_LEAST -> value >= limit;
            case AT_MOST -> value <= limit;
            case EQUAL -> value == limit;
            case DIFFERENT -> value != limit;
            case ABOVE -> value > limit;
            case BELOW -> value < limit;
        };
    }

    /** Returns the limit at which what holds at {@code limit} ends, {@code hysteresis} further back. */
    double released(double limit, double hysteresis) {
        return switch (this) {
            case ABOVE, AT_LEAST -> limit - hysteresis;
            case BELOW, AT_MOST -> limit + hysteresis;
            case EQUAL, DIFFERENT -> limit;
        };
    }
}
