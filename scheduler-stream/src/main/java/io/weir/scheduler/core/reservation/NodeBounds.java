package io.weir.scheduler.core.reservation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For one shape of request and a list of nodes: an interval for each node in which it holds no task for a given time.
 * Kept for a scale of durations, each about 1.4 times the one before; what holds for a shorter duration holds for a longer
 * one. True as long as free resources only become fewer.
 */
public final class NodeBounds {
    /** Steps of the scale for each doubling of the duration. */
    private static final int STEPS = 2;

    private static final int[] SCALE = scale();

    private final @Nullable Scaled[] scaled = new Scaled[SCALE.length];

    /** The bounds for one duration, by place in the list of nodes. */
    static final class Scaled {
        /** First instant of the interval. */
        final int[] since;

        /** End of the interval, exclusive. */
        final int[] until;

        private long validIn;

        Scaled(int count) {
            since = new int[count];
            until = new int[count];
        }
    }

    /** Returns the greatest duration of the scale that is not above {@code seconds}. */
    static int duration(int seconds) {
        return SCALE[step(seconds)];
    }

    /**
     * Returns the bounds of {@code count} nodes for {@link #duration} of {@code seconds}, to be raised by whoever learns
     * more.
     *
     * @param generation number of the time since which free resources only became fewer
     */
    Scaled of(int seconds, int count, long generation) {
        int step = step(seconds);
        Scaled known = scaled[step];
        if (known == null || known.since.length != count) {
            known = new Scaled(count);
            scaled[step] = known;
        } else if (known.validIn != generation) {
            Arrays.fill(known.since, 0);
            Arrays.fill(known.until, 0);
        }
        known.validIn = generation;
        return known;
    }

    private static int step(int seconds) {
        int found = Arrays.binarySearch(SCALE, seconds);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    private static int[] scale() {
        int[] scale = new int[STEPS * 31];
        int size = 0;
        for (int bit = 0; bit < 31; bit++) {
            long low = 1L << bit;
            for (int step = 0; step < STEPS; step++) {
                long value = step == 0 ? low : low * 7 / 5;
                if (value < Integer.MAX_VALUE && (size == 0 || value > scale[size - 1])) {
                    scale[size++] = (int) value;
                }
            }
        }
        return Arrays.copyOf(scale, size);
    }
}
