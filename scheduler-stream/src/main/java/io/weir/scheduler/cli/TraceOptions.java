package io.weir.scheduler.cli;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.simulator.ClusterModel;
import io.weir.trace.SwfTrace;
import io.weir.trace.TraceJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a run over a trace, shared by the offline run and the run through Kafka. */
public final class TraceOptions {
    private static final int MOST_SHOWN = 20;

    @Option(names = "--trace", required = true, paramLabel = "FILE", description = "Workload in SWF, plain or .gz.")
    Path trace = Path.of("");

    @Option(names = "--nodes", required = true, paramLabel = "N", description = "Nodes of the cluster.")
    int nodes;

    @Option(names = "--procs-per-node", required = true, paramLabel = "P", description = "Processors of each node.")
    int procsPerNode;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Site configuration in Moab syntax; default: EASY backfill (RESERVATIONDEPTH 1).")
    @Nullable
    Path config;

    @Option(
            names = "--from",
            paramLabel = "I",
            defaultValue = "0",
            description = "First usable job of the trace to take, counted from 0; default ${DEFAULT-VALUE}.")
    int from;

    @Option(names = "--jobs", paramLabel = "K", description = "Number of usable jobs to take; default: all from I on.")
    @Nullable
    Integer count;

    @Option(
            names = "--out",
            paramLabel = "CSV",
            description = "Write job_id,submit,start,end,procs, in trace seconds, sorted by job id.")
    @Nullable
    Path out;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON.")
    @Nullable
    Path json;

    /** Returns the cluster described. */
    public ClusterModel cluster() {
        return new ClusterModel(nodes, procsPerNode);
    }

    /** Returns where to write the start times; null for nowhere. */
    public @Nullable Path out() {
        return out;
    }

    /** Returns where to write the figures as JSON; null for nowhere. */
    public @Nullable Path json() {
        return json;
    }

    /** Returns the trace file. */
    public Path trace() {
        return trace;
    }

    /** Returns the position of the first usable job to take. */
    public int from() {
        return from;
    }

    /** Returns how many usable jobs to take. */
    public int count() {
        return count == null ? Integer.MAX_VALUE : count;
    }

    /** Reads the trace and reports lines that could not be read to {@code err}. */
    public SwfTrace read(PrintWriter err) throws IOException {
        if (from < 0 || count() < 0) {
            throw new IllegalArgumentException(window() + ": neither may be negative");
        }
        requireWritable("--out", out);
        requireWritable("--json", json);
        SwfTrace read;
        try {
            read = SwfTrace.read(trace, cluster().processors());
        } catch (IOException e) {
            throw Unreadable.because(trace, e);
        }
        read.problems().stream().limit(MOST_SHOWN).forEach(problem -> err.println(trace + " " + problem));
        if (read.problems().size() > MOST_SHOWN) {
            err.println(trace + ": " + (read.problems().size() - MOST_SHOWN) + " more lines that could not be read");
        }
        if (read.leftOut() > 0) {
            err.println(trace + ": " + read.leftOut() + " jobs left out: no processors, more than "
                    + cluster().processors() + ", or a negative run time");
        }
        return read;
    }

    /** Finds out before a long run whether its results can be written. */
    private static void requireWritable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || Files.isDirectory(file)) {
            throw new IllegalArgumentException(option + " " + file + ": it is a directory");
        }
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException(option + " " + file + ": there is no directory " + directory);
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new IllegalArgumentException(option + " " + file + ": not permitted to write there");
        }
    }

    /** Returns the jobs asked for, in queue order. */
    public List<TraceJob> jobs(SwfTrace read) {
        List<TraceJob> jobs = read.window(from, count());
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException(window() + ": no jobs there; " + trace
                    + " has " + read.jobs().size() + " usable jobs on "
                    + cluster().processors() + " processors");
        }
        return jobs;
    }

    private String window() {
        return "--from " + from + (count == null ? "" : " --jobs " + count);
    }

    /** Returns the configuration text, and reports its problems to {@code err}. */
    public String policy(PrintWriter err) throws IOException {
        return config == null ? "" : policy(config, err);
    }

    /** Returns the configuration text of {@code file}, and reports its problems to {@code err}. */
    static String policy(Path file, PrintWriter err) throws IOException {
        String text = PolicyFile.read(file);
        for (PolicyProblem problem : SitePolicy.read(text).problems()) {
            if (problem.level() != PolicyProblem.Level.INFO) {
                err.println(problem);
            }
        }
        return text;
    }
}
