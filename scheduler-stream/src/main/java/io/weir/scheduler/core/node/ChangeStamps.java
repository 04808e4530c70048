package io.weir.scheduler.core.node;

import java.util.Arrays;
import java.util.BitSet;

/**
 * When something was last said of each of a row of positions, counted in changes. Whoever keeps what follows from the
 * positions remembers {@link #now} and is later told which of them changed since; any number of readers may do so, each at
 * its own pace. A mark costs a few instructions, a question one pass over an array of numbers.
 */
final class ChangeStamps {
    private long[] stamps = new long[16];
    private long now;

    /** Says that something changed at {@code position}. */
    void mark(int position) {
        if (position >= stamps.length) {
            stamps = Arrays.copyOf(stamps, Math.max(position + 1, stamps.length * 2));
        }
        stamps[position] = ++now;
    }

    /** Returns how many changes there were so far; to be given to {@link #since}. */
    long now() {
        return now;
    }

    /** Returns whether something changed at {@code position} after the first {@code seen} changes. */
    boolean isAfter(long seen, int position) {
        return position < stamps.length && stamps[position] > seen;
    }

    /** Returns those of the first {@code size} positions that changed after the first {@code seen} changes. */
    BitSet since(long seen, int size) {
        BitSet changed = new BitSet(size);
        if (seen < now) {
            int end = Math.min(size, stamps.length);
            for (int position = 0; position < end; position++) {
                if (stamps[position] > seen) {
                    changed.set(position);
                }
            }
        }
        return changed;
    }
}
