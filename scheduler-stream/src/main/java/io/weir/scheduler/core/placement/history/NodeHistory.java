package io.weir.scheduler.core.placement.history;

import org.jspecify.annotations.Nullable;

/** What is remembered of nodes: use, failures, and how applications fared on them. */
public interface NodeHistory {
    /** Nothing is remembered. */
    NodeHistory NONE = new NodeHistory() {
        @Override
        public double usagePercent(String node, long now) {
            return 0;
        }

        @Override
        public double secondsBetweenFailures(String node, long now) {
            return 0;
        }

        @Override
        public double suitability(String node, @Nullable String application, int procs) {
            return 1;
        }

        @Override
        public double failureRate(String node, @Nullable String application) {
            return 0;
        }
    };

    /** Returns the percentage of the tracked time with at least one active job. */
    double usagePercent(String node, long now);

    /** Returns the mean time between failures in seconds; without any failure the time tracked. */
    double secondsBetweenFailures(String node, long now);

    /** Returns how well {@code application} runs on {@code node} in jobs of the size of {@code procs}: 0 to 2, neutral 1. */
    double suitability(String node, @Nullable String application, int procs);

    /** Returns the share of the recorded jobs of {@code application} on {@code node} that failed. */
    double failureRate(String node, @Nullable String application);
}
