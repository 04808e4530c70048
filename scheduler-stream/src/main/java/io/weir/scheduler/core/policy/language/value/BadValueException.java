package io.weir.scheduler.core.policy.language.value;

/** A value that is not legal where it stands. The message quotes it and says what is. */
public final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; it carries no stack trace. */
    public BadValueException(String message) {
        super(message, null, false, false);
    }

    /** Returns what to tell the reader. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
