package io.weir.rm.runtime.command;

import java.util.Optional;

/**
 * How far a connector's commands are finished, as kept with its offset.
 *
 * @param lastFinished number of the last command finished
 * @param resultsOffset every result of a later command lies at this offset of its topic or after it
 */
record Position(long lastFinished, long resultsOffset) {

    /** Nothing is known. */
    static final Position START = new Position(0, 0);

    String format() {
        return lastFinished + " " + resultsOffset;
    }

    /** Reads what {@link #format} wrote; empty when it is something else. */
    static Optional<Position> parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Position(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
