package io.weir.notifier.exec;

import io.weir.notifier.spi.OneLine;

/**
 * How a program ended. Immutable.
 *
 * @param exitCode its exit code; 128 and the signal's number when a signal ended it
 * @param output the beginning of its output
 * @param errors the beginning of its error output
 * @param timedOut whether it was killed because it took too long
 */
record ProgramEnd(int exitCode, String output, String errors, boolean timedOut) {

    private static final int SHOWN = 500;
    private static final int LAST_SIGNAL = 64;

    boolean bySignal() {
        return exitCode > 128 && exitCode <= 128 + LAST_SIGNAL;
    }

    /** One line for people: what it complained of, or else what it said. */
    String words() {
        String words = OneLine.of(errors.isBlank() ? output : errors);
        if (words.isEmpty()) {
            return "";
        }
        return ": " + (words.length() > SHOWN ? words.substring(0, SHOWN) + "…" : words);
    }
}
