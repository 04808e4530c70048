package io.weir.scheduler.core.trigger.action;

/** An Action that can never be carried out; the message has the value and what would do. */
public final class UnfitActionException extends Exception {
    private static final long serialVersionUID = 1L;

    UnfitActionException(String message) {
        super(message, null, false, false);
    }

    /** Returns value and what would do. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
