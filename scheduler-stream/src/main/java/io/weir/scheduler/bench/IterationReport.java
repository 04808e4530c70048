package io.weir.scheduler.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a run of {@link IterationBench} measured; times in milliseconds, amounts in bytes. Processor times are those of the
 * deciding thread alone and say more than elapsed ones on a machine that does other things, too.
 *
 * @param nodes nodes of the cluster
 * @param queued jobs waiting
 * @param running jobs running at the end
 * @param busyShare share of the processors they hold
 * @param coldMillis a complete iteration of a scheduler just rebuilt
 * @param coldCpuMillis processor time of that
 * @param iterations iterations measured in the steady state
 * @param p50Millis median of these
 * @param p99Millis 99th percentile
 * @param maxMillis longest
 * @param p50CpuMillis median of their processor time
 * @param startsPerIteration jobs started, mean
 * @param bytesPerIteration memory allocated, mean
 * @param peakHeapBytes most heap used at a time, garbage included
 */
public record IterationReport(
        int nodes,
        int queued,
        int running,
        double busyShare,
        double coldMillis,
        double coldCpuMillis,
        int iterations,
        double p50Millis,
        double p99Millis,
        double maxMillis,
        double p50CpuMillis,
        double startsPerIteration,
        long bytesPerIteration,
        long peakHeapBytes) {
    private static final double MEGABYTE = 1024.0 * 1024.0;

    /** Returns the report in words, one figure a line. */
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                %d nodes, %.0f %% busy with %d jobs, %d jobs queued
                cold iteration       %8.1f ms (%.1f ms of processor time)
                steady iteration p50 %8.1f ms (%.1f ms of processor time)
                steady iteration p99 %8.1f ms, longest %.1f ms, of %d
                starts per iteration %8.1f
                allocation           %8.2f MB per iteration
                peak heap            %8.0f MB
                """,
                nodes,
                100 * busyShare,
                running,
                queued,
                coldMillis,
                coldCpuMillis,
                p50Millis,
                p50CpuMillis,
                p99Millis,
                maxMillis,
                iterations,
                startsPerIteration,
                bytesPerIteration / MEGABYTE,
                peakHeapBytes / MEGABYTE);
    }

    /** Writes the figures to {@code file} as a JSON object. */
    public void writeJson(Path file) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), this);
    }

    /** Returns a percentile of times in nanoseconds, in milliseconds. */
    static double percentile(List<Long> nanos, double share) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(share * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / 1e6;
    }
}
