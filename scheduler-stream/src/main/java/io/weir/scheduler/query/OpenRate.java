package io.weir.scheduler.query;

import java.util.function.LongSupplier;

/**
 * How often callers without a token may call: each network at the rate of one principal, and all together at sixteen times
 * that, so that one that asks without end leaves room to others. Thread-safe.
 */
final class OpenRate {
    private static final int NETWORKS_AT_FULL_RATE = 16;
    private static final String ALL = "all";

    private final RateLimit each;
    private final RateLimit together;

    /**
     * Limits each network to {@code perSecond}.
     *
     * @param seconds for how long one that has not called may save up
     * @param clock nanoseconds
     */
    OpenRate(double perSecond, double seconds, LongSupplier clock) {
        each = new RateLimit(perSecond, seconds, clock);
        together = new RateLimit(NETWORKS_AT_FULL_RATE * perSecond, seconds, clock);
    }

    /** Counts once for {@code network}; returns 0 when it may, else after how many seconds it may again. */
    long take(ClientNetwork network) {
        long wait = each.take(network.name());
        return wait == 0 ? together.take(ALL) : wait;
    }

    /** Counts {@code more} for {@code network}, which did them already. */
    void spend(ClientNetwork network, int more) {
        each.spend(network.name(), more);
        together.spend(ALL, more);
    }

    /** Returns how many networks are remembered. */
    int size() {
        return each.size();
    }
}
