package io.weir.scheduler.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.trace.JobRun;
import io.weir.trace.RunSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run over a trace prints and writes.
 *
 * @param runs what became of each job
 * @param summary the usual figures
 * @param iterations iterations the core ran
 * @param wallSeconds real time the run took
 */
public record TraceReport(List<JobRun> runs, RunSummary summary, long iterations, double wallSeconds) {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public TraceReport {
        runs = List.copyOf(runs);
    }

    /** Prints the figures, and writes the files the options ask for. */
    public void publish(TraceOptions options, PrintWriter out) throws IOException {
        out.printf(Locale.ROOT, "jobs                  %d%n", summary.jobs());
        out.printf(Locale.ROOT, "mean wait             %.2f s%n", summary.meanWaitSeconds());
        out.printf(Locale.ROOT, "mean bounded slowdown %.4f  (threshold 10 s)%n", summary.meanBoundedSlowdown());
        out.printf(Locale.ROOT, "utilisation           %.6f%n", summary.utilisation());
        out.printf(Locale.ROOT, "makespan              %d s%n", summary.makespanSeconds());
        out.printf(Locale.ROOT, "iterations            %d  (%.0f/s)%n", iterations, iterations / wallSeconds);
        out.printf(Locale.ROOT, "wall time             %.3f s  (%.0f jobs/s)%n", wallSeconds, jobsPerSecond());
        if (options.out() != null) {
            RunSummary.writeCsv(runs, options.out());
        }
        if (options.json() != null) {
            MAPPER.writeValue(options.json().toFile(), figures());
        }
    }

    /** Writes the figures of several runs as one JSON object, by name. */
    static void writeJson(Map<String, TraceReport> reports, Path file) throws IOException {
        ObjectNode all = MAPPER.createObjectNode();
        reports.forEach((name, report) -> all.set(name, report.figures()));
        MAPPER.writeValue(file.toFile(), all);
    }

    private ObjectNode figures() {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("jobs", summary.jobs());
        node.put("meanWaitSeconds", summary.meanWaitSeconds());
        node.put("meanBoundedSlowdown", summary.meanBoundedSlowdown());
        node.put("utilisation", summary.utilisation());
        node.put("makespanSeconds", summary.makespanSeconds());
        node.put("iterations", iterations);
        node.put("wallSeconds", wallSeconds);
        node.put("jobsPerSecond", jobsPerSecond());
        return node;
    }

    private double jobsPerSecond() {
        return summary.jobs() / wallSeconds;
    }
}
