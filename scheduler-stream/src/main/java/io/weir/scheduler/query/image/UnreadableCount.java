package io.weir.scheduler.query.image;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Counts the records of each topic that cannot be read, and says of which to tell: of many, the first ten, every tenth up to a
 * hundred, every hundredth up to a thousand, and so on. Thread-safe.
 */
public final class UnreadableCount {
    private final Map<String, Integer> counts = new HashMap<>();

    /** Counts one more of {@code topic}; returns its number, from 1, where it is to be told of. */
    public synchronized OptionalInt next(String topic) {
        int count = counts.merge(topic, 1, Integer::sum);
        return isRound(count) ? OptionalInt.of(count) : OptionalInt.empty();
    }

    /** Returns whether all digits of {@code number} but the first are zero. */
    private static boolean isRound(int number) {
        int unit = 1;
        while (unit <= number / 10) {
            unit *= 10;
        }
        return number % unit == 0;
    }
}
