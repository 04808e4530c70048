package io.weir.scheduler.core.bound;

/** Counts what is done within an hour of the clock, so that a configuration that causes itself comes to rest. */
public final class HourlyBudget {
    private static final long HOUR = 3_600;

    private long hour;
    private int spent;

    /** Goes on with {@code spent} in {@code hour}, epoch seconds by 3600. */
    public HourlyBudget(long hour, int spent) {
        this.hour = hour;
        this.spent = spent;
    }

    /** Counts one more at {@code now}, epoch seconds; returns whether it is within {@code most} of this hour. */
    public boolean spend(long now, int most) {
        long current = Math.floorDiv(now, HOUR);
        if (current != hour) {
            hour = current;
            spent = 0;
        }
        if (spent <= most) {
            spent++;
        }
        return spent <= most;
    }

    /** Returns the instant at which counting begins anew, epoch seconds. */
    public long renewed() {
        return (hour + 1) * HOUR;
    }

    /** Returns the hour that it counts in, epoch seconds by 3600. */
    public long hour() {
        return hour;
    }

    /** Returns how many there were in that hour, refused ones as one. */
    public int spent() {
        return spent;
    }
}
