package io.weir.standalone.bench;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a latency run measured; times in milliseconds.
 *
 * @param facts facts really written
 * @param use what it took of the machine, with the load generator and the broker
 * @param starts start commands measured
 * @param p50 median time from submission to start command
 * @param p90 90th percentile
 * @param p99 99th percentile
 * @param max longest
 * @param series each start: when its job was submitted, in seconds since measuring began, less than 0 for jobs from before,
 *     and its time in milliseconds; in order of the start commands
 */
public record LatencyReport(
        long facts, MachineUse use, int starts, double p50, double p90, double p99, double max, List<Point> series) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    public LatencyReport {
        series = List.copyOf(series);
    }

    /** Returns how many facts were written a second. */
    public double factsPerSecond() {
        return facts / use.seconds();
    }

    /** One start: when its job was submitted, in seconds, and how long it waited, in milliseconds. */
    public record Point(double atSeconds, double millis) {}

    static LatencyReport of(long facts, MachineUse use, long measuredFrom, List<StartLatency> latencies) {
        long[] sorted =
                latencies.stream().mapToLong(StartLatency::nanos).sorted().toArray();
        return new LatencyReport(
                facts,
                use,
                sorted.length,
                percentile(sorted, 0.50),
                percentile(sorted, 0.90),
                percentile(sorted, 0.99),
                percentile(sorted, 1.0),
                latencies.stream()
                        .map(start -> new Point(
                                (start.submitted() - measuredFrom) / NANOS_PER_SECOND, start.nanos() / NANOS_PER_MILLI))
                        .toList());
    }

    /**
     * Returns when jobs began to start within {@code millis} for good: seconds since measuring began at which the last was
     * submitted that waited longer, 0 when none did; empty when no job that was submitted later has started so far.
     */
    public OptionalDouble calmAfterSeconds(double millis) {
        double calm = 0;
        double last = 0;
        for (Point point : series) {
            last = Math.max(last, point.atSeconds());
            if (point.millis() > millis) {
                calm = Math.max(calm, point.atSeconds());
            }
        }
        return last > calm ? OptionalDouble.of(calm) : OptionalDouble.empty();
    }

    private static double percentile(long[] sorted, double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(share * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / NANOS_PER_MILLI;
    }
}
