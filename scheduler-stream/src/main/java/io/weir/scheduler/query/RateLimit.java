package io.weir.scheduler.query;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How often each of many may do something: so many times a second over time, and some seconds' worth at once. Remembers the
 * ten thousand that came last; who is forgotten begins anew. Thread-safe.
 */
final class RateLimit {
    private static final int REMEMBERED = 10_000;
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double atOnce;
    private final LongSupplier clock;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** What is left, and as of when. */
    private record Bucket(double left, long at) {}

    /**
     * Limits to {@code perSecond}.
     *
     * @param seconds for how long one who has done nothing may save up
     * @param clock nanoseconds
     */
    RateLimit(double perSecond, double seconds, LongSupplier clock) {
        this.perSecond = perSecond;
        this.atOnce = perSecond * seconds;
        this.clock = clock;
    }

    /** Counts once for {@code who}; returns 0 when it may, else after how many seconds it may again. */
    synchronized long take(String who) {
        long now = clock.getAsLong();
        Bucket before = buckets.get(who);
        double left = left(before, now);
        boolean may = left >= 1;
        buckets.put(who, new Bucket(may ? left - 1 : left, now));
        return may ? 0 : Math.max(1, (long) Math.ceil((1 - left) / perSecond));
    }

    /** Counts {@code more} for {@code who}, which did them already; what it has not left it saves up before it may again. */
    synchronized void spend(String who, int more) {
        long now = clock.getAsLong();
        Bucket before = buckets.get(who);
        buckets.put(who, new Bucket(left(before, now) - more, now));
    }

    private double left(@Nullable Bucket before, long now) {
        return before == null ? atOnce : Math.min(atOnce, before.left() + (now - before.at()) / NANOS * perSecond);
    }

    /** Returns how many are remembered. */
    synchronized int size() {
        return buckets.size();
    }
}
