package io.weir.rm.simulated;

import io.weir.schemas.JobState;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended. In the ledger: {@code <state> <exit code or -> <reason>}.
 *
 * @param state COMPLETED, FAILED or CANCELLED
 * @param exitCode exit code; null when there was none
 * @param reason the resource manager's words; empty for none
 */
record Ending(JobState state, @Nullable Integer exitCode, String reason) {

    /** Exit code of a job that was killed: 128 and the number of SIGTERM. */
    private static final int KILLED = 143;

    /** It ran to its own end. */
    static final Ending COMPLETED = new Ending(JobState.COMPLETED, 0, "");

    /** It was ended at its wallclock limit. */
    static final Ending AT_LIMIT = new Ending(JobState.CANCELLED, KILLED, "WALLCLOCK");

    /** A node it ran on went down. */
    static final Ending NODE_FAILED = new Ending(JobState.FAILED, null, "NODE_FAIL");

    /** A command cancelled it, while it ran or before. */
    static Ending cancelled(boolean running) {
        return new Ending(JobState.CANCELLED, running ? KILLED : null, "CANCELLED");
    }

    /** Returns the form the ledger keeps. */
    String format() {
        return state + " " + (exitCode == null ? "-" : exitCode) + " " + reason;
    }

    /** Reads what {@link #format} wrote. */
    static Ending parse(String text) {
        String[] parts = text.split(" ", 3);
        return new Ending(
                JobState.valueOf(parts[0]), "-".equals(parts[1]) ? null : Integer.valueOf(parts[1]), parts[2]);
    }
}
