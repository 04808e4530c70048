package io.weir.scheduler.core.event;

import org.jspecify.annotations.Nullable;

/**
 * How the scheduler is told of a metric of nodes, as in {@code GMETRICCFG[temp] RESOLUTION=2}. Immutable.
 *
 * @param name metric, case-sensitive
 * @param smoothingSeconds time constant of the moving average that is told; 0 for the value itself
 * @param resolution how far the value has to move before it is told again, more than 0; null for a hundredth of what was
 *     told last
 * @param intervalSeconds shortest time between two reports of a node for the sake of this metric
 */
public record ForwardedMetric(
        String name, long smoothingSeconds, @Nullable Double resolution, long intervalSeconds) {
    /** Least and usual {@link #intervalSeconds}. */
    static final long LEAST_INTERVAL = 10;

    static final long USUAL_INTERVAL = 60;

    private static final double USUAL_SHARE = 0.01;

    /** Returns a metric told as usual. */
    static ForwardedMetric usual(String name) {
        return new ForwardedMetric(name, 0, null, USUAL_INTERVAL);
    }

    /** Returns whether {@code value} is far enough from what was told. */
    public boolean isNews(double value, double told) {
        double least = resolution == null ? Math.abs(told) * USUAL_SHARE : resolution;
        return value != told && Math.abs(value - told) >= least;
    }
}
