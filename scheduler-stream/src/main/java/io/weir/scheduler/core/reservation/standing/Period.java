package io.weir.scheduler.core.reservation.standing;

/** How often a standing reservation comes back. */
public enum Period {
    /** Every day, counted from midnight UTC. */
    DAY(86_400),
    /** Every week, counted from midnight UTC before Sunday. */
    WEEK(604_800),
    /** Never: it stays. */
    INFINITY(0);

    private final long seconds;

    Period(long seconds) {
        this.seconds = seconds;
    }

    /** Returns its length in seconds; 0 for {@link #INFINITY}. */
    long seconds() {
        return seconds;
    }
}
