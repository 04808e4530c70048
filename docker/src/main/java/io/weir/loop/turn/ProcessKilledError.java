package io.weir.loop.turn;

/**
 * Ends a thread of a simulated process that was killed. An error, so that no handler of exceptions takes it for a failure
 * that can be survived; whatever the thread does while it unwinds has no effect, for every simulated call throws it again.
 */
public final class ProcessKilledError extends Error {
    private static final long serialVersionUID = 1L;

    ProcessKilledError(String process) {
        super(process + " was killed", null, false, false);
    }
}
