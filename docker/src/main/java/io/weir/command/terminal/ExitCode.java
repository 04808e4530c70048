package io.weir.command.terminal;

/** What a command tells the shell. */
public final class ExitCode {
    /** Done, nothing to report. */
    public static final int FINE = 0;

    /** Failed, or found a difference. */
    public static final int FAILED = 1;

    /** The command line or the input cannot be used. */
    public static final int BAD_INPUT = 2;

    /** The principal may not do this; the message names the level it takes. */
    public static final int NOT_PERMITTED = 4;

    /** The scheduler cannot be reached. */
    public static final int UNREACHABLE = 5;

    private ExitCode() {}
}
