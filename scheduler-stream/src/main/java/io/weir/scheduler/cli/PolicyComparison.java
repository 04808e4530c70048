package io.weir.scheduler.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * The same trace under several configurations, side by side on several threads: a line of figures for each, in the order in
 * which they were named. The runs share nothing, so each has the result that it has alone; only the speed depends on the
 * others.
 */
final class PolicyComparison {
    private static final String DEFAULT = "(default)";

    /** The text of each configuration, by the name it is shown under. */
    private final Map<String, String> policies = new LinkedHashMap<>();

    private final int threads;

    /** Creates a comparison that makes at most so many runs at a time. */
    PolicyComparison(int threads) {
        this.threads = threads;
    }

    /**
     * Adds a configuration.
     *
     * @param name what to call it; empty for the defaults
     * @throws IllegalArgumentException if it was added before
     */
    void add(String name, String policy) {
        String shown = name.isEmpty() ? DEFAULT : name;
        if (policies.putIfAbsent(shown, policy) != null) {
            throw new IllegalArgumentException("--compare " + shown + ": named twice");
        }
    }

    /**
     * Runs {@code run} for each configuration's text and prints a line for each as soon as those before it are printed.
     *
     * @return the results by name, in order
     * @throws IllegalArgumentException if a run fails because of what it was given
     */
    Map<String, TraceReport> run(Function<String, TraceReport> run, PrintWriter out) {
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, policies.size()));
        try {
            Map<String, Future<TraceReport>> begun = new LinkedHashMap<>();
            policies.forEach((name, policy) -> begun.put(name, pool.submit(() -> run.apply(policy))));
            int width = Math.max(
                    "configuration".length(),
                    policies.keySet().stream().mapToInt(String::length).max().orElse(0));
            printHead(width, out);
            Map<String, TraceReport> reports = new LinkedHashMap<>();
            for (Map.Entry<String, Future<TraceReport>> entry : begun.entrySet()) {
                TraceReport report = resultOf(entry.getKey(), entry.getValue());
                print(entry.getKey(), width, report, out);
                reports.put(entry.getKey(), report);
            }
            return reports;
        } finally {
            pool.shutdownNow();
        }
    }

    private static TraceReport resultOf(String name, Future<TraceReport> run) {
        try {
            return run.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalArgumentException unfit) {
                throw new IllegalArgumentException(name + ": " + unfit.getMessage(), e);
            }
            throw new IllegalStateException(name + ": the run failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + ": interrupted", e);
        }
    }

    private static void printHead(int width, PrintWriter out) {
        out.printf(
                line(width),
                "configuration",
                "jobs",
                "mean wait s",
                "slowdown",
                "utilisation",
                "makespan s",
                "iterations");
        out.flush();
    }

    private static void print(String name, int width, TraceReport report, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                line(width),
                name,
                report.summary().jobs(),
                String.format(Locale.ROOT, "%.2f", report.summary().meanWaitSeconds()),
                String.format(Locale.ROOT, "%.4f", report.summary().meanBoundedSlowdown()),
                String.format(Locale.ROOT, "%.6f", report.summary().utilisation()),
                report.summary().makespanSeconds(),
                report.iterations());
        out.flush();
    }

    private static String line(int width) {
        return "%-" + width + "s %9s %14s %12s %12s %12s %11s%n";
    }
}
