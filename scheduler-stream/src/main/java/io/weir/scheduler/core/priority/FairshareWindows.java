package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.policy.job.FairshareSettings;

/**
 * The windows of time in which use is counted: FSINTERVAL long, aligned to the epoch, of which the newest FSDEPTH count, each
 * for FSDECAY of what the next newer one counts. Immutable. Instants are epoch seconds.
 */
final class FairshareWindows {
    private final long length;

    /** What a second counts by the age of its window, in millionths; the newest first. */
    private final long[] decay;

    FairshareWindows(FairshareSettings settings) {
        length = Math.max(1, settings.intervalSeconds());
        decay = new long[Math.max(1, settings.depth())];
        decay[0] = Micros.ONE;
        for (int age = 1; age < decay.length; age++) {
            decay[age] = decay[age - 1] * Micros.of(settings.decay()) / Micros.ONE;
        }
    }

    /** Returns how many windows count. */
    int depth() {
        return decay.length;
    }

    /** Returns the number of the window of {@code instant}. */
    long of(long instant) {
        return Math.floorDiv(instant, length);
    }

    /** Returns when a window begins. */
    long start(long window) {
        return window * length;
    }

    /** Returns how many seconds of [from, to) are in {@code window}. */
    long span(long window, long from, long to) {
        return Math.max(0, Math.min(to, start(window + 1)) - Math.max(from, start(window)));
    }

    /** Returns {@code from}, or the start of the oldest window that counts at {@code until} when that is later. */
    long counting(long from, long until) {
        return Math.max(from, Math.max(0, start(of(until) - decay.length + 1)));
    }

    /** Returns what {@code seconds} count for in a window of that age. */
    long weighed(long seconds, int age) {
        return seconds / Micros.ONE * decay[age] + seconds % Micros.ONE * decay[age] / Micros.ONE;
    }
}
