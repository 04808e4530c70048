package io.weir.command.terminal;

import java.io.PrintStream;

/**
 * The line at the bottom of a terminal that tells how far something has come. Nothing is printed when standard error is
 * not a terminal, so that logs and pipes stay clean. One thread at a time.
 */
public final class Terminal {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream err;
    private final boolean interactive;
    private boolean shown;

    private Terminal(PrintStream err, boolean interactive) {
        this.err = err;
        this.interactive = interactive;
    }

    /** The process's standard error; {@code bin/weir} says whether it is a terminal. */
    public static Terminal ofProcess() {
        return new Terminal(System.err, Boolean.getBoolean("weir.terminal"));
    }

    /** Says whether standard error is a terminal. */
    public boolean isInteractive() {
        return interactive;
    }

    /** Replaces the status line. */
    public void status(String line) {
        if (interactive) {
            err.print(CLEAR_LINE + line);
            err.flush();
            shown = true;
        }
    }

    /** Removes the status line. */
    public void clear() {
        if (shown) {
            err.print(CLEAR_LINE);
            err.flush();
            shown = false;
        }
    }
}
