package io.weir.scheduler.core.reservation.acl;

/** How an entry compares what it finds with its value. */
public enum Comparison {
    /** The same. */
    EQUAL("=="),
    /** Anything else. */
    DIFFERENT("!="),
    /** At most. */
    AT_MOST("<="),
    /** At least. */
    AT_LEAST(">="),
    /** Less. */
    LESS("<"),
    /** More. */
    MORE(">");

    private final String sign;

    Comparison(String sign) {
        this.sign = sign;
    }

    String sign() {
        return sign;
    }

    boolean holds(long found, long value) {
        return switch (this) {
            case EQUAL -> found == value;
            case DIFFERENT -> found != value;
            case AT_MOST -> found <= value;
            case AT_LEAST -> found >= value;
            case LESS -> found < value;
            case MORE -> found > value;
        };
    }
}
