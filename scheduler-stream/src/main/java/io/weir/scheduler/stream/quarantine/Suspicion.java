package io.weir.scheduler.stream.quarantine;

import org.jspecify.annotations.Nullable;

/**
 * How often the scheduler failed on one thing, and how the last time.
 *
 * @param failures how often, 1 or more
 * @param early of an input: whether it failed before it could be checked against the core
 * @param cause name of the exception, such as ArithmeticException
 * @param message what it said, at most {@value #LONGEST_MESSAGE} characters
 */
public record Suspicion(int failures, boolean early, String cause, String message) {
    private static final int LONGEST_MESSAGE = 1_000;

    /** The first failure may be chance; the next one on the same thing is not. */
    private static final int FLUKES = 1;

    /** Returns what is known after another failure; {@code before} is null at the first. */
    public static Suspicion after(@Nullable Suspicion before, boolean early, Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return new Suspicion(
                before == null ? 1 : before.failures + 1,
                early,
                root.getClass().getSimpleName(),
                printable(String.valueOf(root.getMessage())));
    }

    /** Says whether it is to be set aside. */
    boolean certain() {
        return failures > FLUKES;
    }

    /** Says whether setting it aside was tried and did not help. */
    boolean incurable() {
        return failures > FLUKES + 1;
    }

    /** Returns cause and message as one text. */
    public String text() {
        return cause + ": " + message;
    }

    private static String printable(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE);
    }
}
