package io.weir.scheduler.bench;

import java.util.List;

/**
 * What a run of {@link IterationBench} measured; times in milliseconds, amounts in bytes.
 *
 * @param nodes nodes of the cluster
 * @param queued jobs waiting
 * @param running jobs running at the end
 * @param coldMillis a complete iteration of a scheduler just rebuilt
 * @param iterations iterations measured in the steady state
 * @param p50Millis median of these
 * @param p99Millis 99th percentile
 * @param maxMillis longest
 * @param startsPerIteration jobs started, mean
 * @param bytesPerIteration memory allocated, mean
 * @param peakHeapBytes most heap used at a time, garbage included
 */
public record IterationReport(
        int nodes,
        int queued,
        int running,
        double coldMillis,
        int iterations,
        double p50Millis,
        double p99Millis,
        double maxMillis,
        double startsPerIteration,
        long bytesPerIteration,
        long peakHeapBytes) {
    static IterationReport of(
            int nodes, int queued, int running, long cold, List<Long> nanos, long starts, long allocated, long peak) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        int count = Math.max(1, sorted.length);
        return new IterationReport(
                nodes,
                queued,
                running,
                cold / 1e6,
                sorted.length,
                percentile(sorted, 0.50),
                percentile(sorted, 0.99),
                percentile(sorted, 1.0),
                (double) starts / count,
                allocated / count,
                peak);
    }

    private static double percentile(long[] sorted, double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(share * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / 1e6;
    }
}
