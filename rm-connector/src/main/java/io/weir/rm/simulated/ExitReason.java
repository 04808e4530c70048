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
record ExitReason(JobState state, @Nullable Integer exitCode, String reason) {

    /** Exit code of a job that was killed: 128 and the number of SIGTERM. */
    private static final int KILLED = 143;

    /** It ran to its own end. */
    static final ExitReason COMPLETED = new ExitReason(JobState.COMPLETED, 0, "");

    /** It was ended at its wallclock limit. */
    static final ExitReason AT_LIMIT = new ExitReason(JobState.CANCELLED, KILLED, "WALLCLOCK");

    /** A node it ran on went down. */
    static final ExitReason NODE_FAILED = new ExitReason(JobState.FAILED, null, "NODE_FAIL");

    /** A command cancelled it, while it ran or before. */
    static ExitReason cancelled(boolean running) {
        return new ExitReason(JobState.CANCELLED, running ? KILLED : null, "CANCELLED");
    }

    /** Returns the form the ledger keeps. */
    String format() {
        return state + " " + (exitCode == null ? "-" : exitCode) + " " + reason;
    }

    /** Reads what {@link #format} wrote. */
    static ExitReason parse(String text) {
        String[] parts = text.split(" ", 3);
        return new ExitReason(
                JobState.valueOf(parts[0]), "-".equals(parts[1]) ? null : Integer.valueOf(parts[1]), parts[2]);
    }
}
