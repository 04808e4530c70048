package io.weir.command.topics;

import java.util.Collection;
import java.util.List;

/**
 * How long jobs waited. Percentiles are by nearest rank: each is the wait of one of the jobs.
 *
 * @param mean seconds
 * @param median seconds
 * @param p95 seconds that 95 of 100 jobs waited at most
 * @param longest seconds
 */
record WaitSummary(double mean, long median, long p95, long longest) {
    /**
     * Sums up waits.
     *
     * @param waits seconds, in any order
     * @throws IllegalArgumentException when there are none
     */
    static WaitSummary of(Collection<Long> waits) {
        if (waits.isEmpty()) {
            throw new IllegalArgumentException("no job waited");
        }
        List<Long> sorted = waits.stream().sorted().toList();
        double mean = sorted.stream().mapToLong(Long::longValue).average().orElseThrow();
        return new WaitSummary(mean, percentile(sorted, 50), percentile(sorted, 95), sorted.get(sorted.size() - 1));
    }

    private static long percentile(List<Long> sorted, int percent) {
        return sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }
}
