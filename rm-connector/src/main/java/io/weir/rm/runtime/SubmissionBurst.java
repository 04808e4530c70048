package io.weir.rm.runtime;

import java.time.Duration;

/** Jobs that arrive one after the other with hardly a pause, as from a script. Times are monotonic nanoseconds. One thread. */
final class SubmissionBurst {
    /** A longer pause ends it. */
    static final Duration PAUSE = Duration.ofMillis(100);

    /** Fewer jobs are none. */
    private static final int FEWEST = 3;

    private int jobs;
    private long last;

    /** Notes that so many jobs have arrived. */
    void note(int arrived, long now) {
        if (now - over() >= 0) {
            jobs = 0;
        }
        jobs = Math.min(FEWEST, jobs + arrived);
        last = now;
    }

    /** Says whether jobs are pouring in. */
    boolean isOn(long now) {
        return jobs >= FEWEST && now - over() < 0;
    }

    /** Returns when it is over, if no further job arrives. */
    long over() {
        return last + PAUSE.toNanos();
    }
}
