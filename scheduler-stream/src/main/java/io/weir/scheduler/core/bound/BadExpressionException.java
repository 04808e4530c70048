package io.weir.scheduler.core.bound;

/** Says that a text is no regular expression that can be used; the message is for its writer. */
public final class BadExpressionException extends Exception {
    private static final long serialVersionUID = 1L;

    BadExpressionException(String message) {
        super(message, null, false, false);
    }

    /** Returns what is wrong. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
