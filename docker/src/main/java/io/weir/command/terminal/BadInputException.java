package io.weir.command.terminal;

/** What was given cannot be used; the message says what and what to give instead. The command ends with code 2. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates one with a message for the user. */
    public BadInputException(String message) {
        super(message);
    }
}
