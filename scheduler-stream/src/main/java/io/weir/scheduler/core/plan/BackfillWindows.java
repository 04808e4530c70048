package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.timeline.ResourceTimeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Finds the windows of idle processors that begin now: how many there are, and when some of them are wanted again. */
final class BackfillWindows {
    private final NodeAvailabilityPlan availability;

    /** Losses of processors, as (instant, how many). */
    private long[] losses = new long[64];

    private int size;

    BackfillWindows(NodeAvailabilityPlan availability) {
        this.availability = availability;
    }

    /** Returns the windows, widest first; each lasts longer than the one before. */
    List<Window> find() {
        size = 0;
        long width = 0;
        BitSet open = availability.open();
        BitSet followed = new BitSet();
        for (int position = open.nextSetBit(0); position >= 0; position = open.nextSetBit(position + 1)) {
            int leader = availability.buckets().leader(position);
            if (!followed.get(leader)) {
                followed.set(leader);
                width += follow(leader);
            }
        }
        Arrays.sort(losses, 0, size);
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < size && width > 0; i++) {
            long instant = losses[i] >>> 32;
            if (i == 0 || instant != losses[i - 1] >>> 32) {
                windows.add(new Window(width, instant - availability.offset()));
            }
            width -= (int) losses[i];
        }
        if (width > 0) {
            windows.add(new Window(width, Long.MAX_VALUE));
        }
        return windows;
    }

    /**
     * Notes when the node at {@code position}, or the bucket it leads, loses processors that are idle now, and returns how
     * many these are.
     */
    private int follow(int position) {
        ResourceTimeline line = availability.lines().at(position);
        int instant = availability.offset();
        int level = Math.max(0, availability.readyProcs(position, instant));
        int width = level;
        while (level > 0 && instant != ResourceTimeline.NEVER) {
            instant = line.nextStep(instant);
            if (instant != ResourceTimeline.NEVER) {
                int later = Math.max(0, availability.readyProcs(position, instant));
                if (later < level) {
                    losses = size == losses.length ? Arrays.copyOf(losses, size * 2) : losses;
                    losses[size++] = (long) instant << 32 | (level - later);
                    level = later;
                }
            }
        }
        return width;
    }
}
