package io.weir.command.site;

/** Why a command got nothing; ends it with {@link #exitCode}. */
public final class SiteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    SiteException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns what to tell the shell. */
    public int exitCode() {
        return exitCode;
    }
}
