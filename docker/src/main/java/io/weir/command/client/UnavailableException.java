package io.weir.command.client;

import io.weir.command.terminal.ExitCode;

/** A scheduler runs, but cannot answer at present, as without its broker. */
final class UnavailableException extends ClientException {
    private static final long serialVersionUID = 1L;

    /** Ends the command; {@code message} is what the scheduler says. */
    UnavailableException(String message) {
        super(ExitCode.UNREACHABLE, message);
    }
}
