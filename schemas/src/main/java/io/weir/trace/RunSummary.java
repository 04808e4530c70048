package io.weir.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The usual figures of a run over a trace. Bounded slowdown is {@code max(1, (wait + run) / max(run, 10 s))} (D. G.
 * Feitelson et al., 1997); utilisation is used processor-seconds over processors times makespan; makespan is last end
 * minus first submission.
 *
 * @param jobs how many jobs ran
 * @param meanWaitSeconds mean of start minus submission
 * @param meanBoundedSlowdown mean bounded slowdown, threshold 10 s
 * @param utilisation share of the machine in use, 0 to 1
 * @param makespanSeconds length of the run
 */
public record RunSummary(
        int jobs, double meanWaitSeconds, double meanBoundedSlowdown, double utilisation, long makespanSeconds) {
    private static final double THRESHOLD_SECONDS = 10.0;

    /** Computes the figures of {@code runs} on a machine of {@code processors} processors. */
    public static RunSummary of(List<JobRun> runs, long processors) {
        double wait = 0;
        double slowdown = 0;
        double used = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (JobRun run : runs) {
            double waited = run.start() - run.submit();
            double ran = run.end() - run.start();
            wait += waited;
            slowdown += Math.max(1.0, (waited + ran) / Math.max(ran, THRESHOLD_SECONDS));
            used += ran * run.procs();
            first = Math.min(first, run.submit());
            last = Math.max(last, run.end());
        }
        int n = runs.size();
        long makespan = n == 0 ? 0 : last - first;
        double utilisation = makespan == 0 ? 0 : used / ((double) processors * makespan);
        return new RunSummary(n, n == 0 ? 0 : wait / n, n == 0 ? 0 : slowdown / n, utilisation, makespan);
    }

    /** Writes {@code runs} as CSV {@code job_id,submit,start,end,procs}, sorted by job number, to {@code file}. */
    public static void writeCsv(List<JobRun> runs, Path file) throws IOException {
        List<JobRun> sorted = runs.stream()
                .sorted(Comparator.comparingLong(JobRun::number).thenComparingLong(JobRun::sequence))
                .toList();
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            out.write("job_id,submit,start,end,procs\n");
            for (JobRun run : sorted) {
                out.write(run.number() + "," + run.submit() + "," + run.start() + "," + run.end() + "," + run.procs()
                        + "\n");
            }
        }
    }
}
