package io.weir.scheduler.core.reservation.control;

/**
 * A value in a modification and how to apply it.
 *
 * @param action what to do
 * @param text the value
 */
record Operand(Action action, String text) {
    /** What to do with the value there is. */
    enum Action {
        /** Put the new one in its place. */
        SET,
        /** Add to it. */
        ADD,
        /** Take from it. */
        TAKE
    }

    static Operand of(String value) {
        if (value.startsWith("+=")) {
            return new Operand(Action.ADD, value.substring(2));
        }
        if (value.startsWith("-=")) {
            return new Operand(Action.TAKE, value.substring(2));
        }
        int skip = value.startsWith("==") ? 2 : value.startsWith("=") ? 1 : 0;
        return new Operand(Action.SET, value.substring(skip));
    }
}
