package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/** Which column of the steps a resource has. Shared by many timelines, each of which may use the first few only. */
final class TimelineColumns {
    private final int[] of;
    private int used = 1;

    TimelineColumns(int resources) {
        of = new int[resources];
        Arrays.fill(of, Integer.MAX_VALUE);
    }

    /** Returns the column of {@code resource}, beyond all that are used when it has none. */
    int of(int resource) {
        return of[resource];
    }

    /** Returns the column of {@code resource}, and gives it one if it has none. */
    int open(int resource) {
        if (of[resource] == Integer.MAX_VALUE) {
            of[resource] = used++;
        }
        return of[resource];
    }

    /** Returns how many numbers a step has that uses all columns. */
    int used() {
        return used;
    }
}
