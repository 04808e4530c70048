package io.weir.standalone.bench;

import java.util.List;

/**
 * What a latency run measured; times in milliseconds.
 *
 * @param factsPerSecond facts really written
 * @param starts start commands measured
 * @param p50 median time from submission to start command
 * @param p90 90th percentile
 * @param p99 99th percentile
 * @param max longest
 */
public record LatencyReport(double factsPerSecond, int starts, double p50, double p90, double p99, double max) {
    static LatencyReport of(double factsPerSecond, List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return new LatencyReport(
                factsPerSecond,
                sorted.length,
                percentile(sorted, 0.50),
                percentile(sorted, 0.90),
                percentile(sorted, 0.99),
                percentile(sorted, 1.0));
    }

    private static double percentile(long[] sorted, double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(share * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / 1e6;
    }
}
