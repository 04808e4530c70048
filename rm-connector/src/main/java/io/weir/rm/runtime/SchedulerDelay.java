package io.weir.rm.runtime;

import io.weir.rm.runtime.command.HeartbeatProgress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far the scheduler is behind: for how long the oldest heartbeats that it has not taken in have lain in the log, as far as
 * somebody knows who looks now and then. One thread.
 */
final class SchedulerDelay {
    /** Later ones are not needed to tell the oldest. */
    private static final int MOST = 100;

    /** What had been read when, oldest first; as far as the scheduler has not taken it in. */
    private final Deque<Seen> ahead = new ArrayDeque<>();

    private record Seen(long read, long at) {}

    /** Notes what is known at {@code now}, in monotonic nanoseconds. */
    void note(HeartbeatProgress progress, long now) {
        while (!ahead.isEmpty() && ahead.getFirst().read() <= progress.takenIn()) {
            ahead.removeFirst();
        }
        boolean further = ahead.isEmpty()
                ? progress.read() > progress.takenIn()
                : progress.read() > ahead.getLast().read();
        if (further && ahead.size() < MOST) {
            ahead.addLast(new Seen(progress.read(), now));
        }
    }

    /** Nobody knows any more. */
    void forget() {
        ahead.clear();
    }

    /** Returns how far the scheduler is behind at {@code now}; zero where that is not known. */
    Duration at(long now) {
        return ahead.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(now - ahead.getFirst().at());
    }
}
