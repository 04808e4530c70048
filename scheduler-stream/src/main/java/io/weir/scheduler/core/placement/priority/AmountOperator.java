package io.weir.scheduler.core.placement.priority;

/** How an amount of a node is compared with the amount of a condition. */
public enum AmountOperator {
    AT_LEAST,
    AT_MOST,
    MORE,
    LESS,
    EQUAL;

    /**
     * Returns the operator written as {@code text}.
     *
     * @param text one of {@code >= <= > < == =}
     * @throws IllegalArgumentException for any other text
     */
    public static AmountOperator of(String text) {
        return switch (text) {
            case ">=" -> AT_LEAST;
            case "<=" -> AT_MOST;
            case ">" -> MORE;
            case "<" -> LESS;
            case "==", "=" -> EQUAL;
            default -> throw new IllegalArgumentException("'" + text + "' compares no amounts");
        };
    }

    /** Returns whether a node that has {@code has} meets a condition on {@code amount}; both in the same unit. */
    public boolean holds(long has, long amount) {
        return switch (this) {
            case AT_LEAST -> has >= amount;
            case AT_MOST -> has <= amount;
            case MORE -> has > amount;
            case LESS -> has < amount;
            case EQUAL -> has == amount;
        };
    }
}
