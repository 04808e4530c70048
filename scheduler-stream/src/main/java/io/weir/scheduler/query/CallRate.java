package io.weir.scheduler.query;

import java.util.function.LongSupplier;

/** How often each caller may call: those with tokens by name, apart from them those without one by network. Thread-safe. */
final class CallRate {
    private final RateLimit holders;
    private final OpenRate anonymous;

    /**
     * Limits each caller to {@code perSecond}.
     *
     * @param seconds for how long one that has not called may save up
     * @param clock nanoseconds
     */
    CallRate(double perSecond, double seconds, LongSupplier clock) {
        holders = new RateLimit(perSecond, seconds, clock);
        anonymous = new OpenRate(perSecond, seconds, clock);
    }

    /** Counts a call; returns 0 when the caller may, else after how many seconds it may try again. */
    long take(Caller caller) {
        return caller.network().map(anonymous::take).orElseGet(() -> holders.take(caller.share()));
    }

    /** Counts {@code more} calls that were made with one that was counted. */
    void spend(Caller caller, int more) {
        caller.network()
                .ifPresentOrElse(network -> anonymous.spend(network, more), () -> holders.spend(caller.share(), more));
    }
}
