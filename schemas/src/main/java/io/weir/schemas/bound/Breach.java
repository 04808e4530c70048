package io.weir.schemas.bound;

/**
 * A value that breaks a bound.
 *
 * @param place where it is in its record, such as {@code requirements[0].tasks}
 * @param problem what it is and what is allowed, to be read behind the place
 * @param outOfRange true when it is too small, too large, too long or too many; false when it holds what no such value may
 */
public record Breach(String place, String problem, boolean outOfRange) {
    static Breach range(String problem) {
        return new Breach("", problem, true);
    }

    static Breach content(String problem) {
        return new Breach("", problem, false);
    }

    /** Returns the same breach of a value that is part of {@code outer}. */
    Breach within(String outer) {
        String separator = place.isEmpty() || place.startsWith("[") ? "" : ".";
        return new Breach(outer + separator + place, problem, outOfRange);
    }

    /** Returns place, value and what is allowed. */
    public String message() {
        return place + " " + problem;
    }
}
