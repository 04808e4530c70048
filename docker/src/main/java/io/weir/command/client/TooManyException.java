package io.weir.command.client;

import io.weir.command.terminal.ExitCode;

/** Whoever asks has asked too often for now. */
final class TooManyException extends ClientException {
    private static final long serialVersionUID = 1L;

    private final int seconds;

    /** Says that it may ask again in {@code seconds}. */
    TooManyException(String message, int seconds) {
        super(ExitCode.FAILED, message);
        this.seconds = seconds;
    }

    /** Returns after how many seconds it may ask again, at least one. */
    int seconds() {
        return Math.max(1, seconds);
    }
}
