package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many nodes single jobs may have by their associations and QOSs, as far as refused starts have told. Slurm looks for no more nodes
 * than such a limit admits; so that Weir does the same, a job that was refused on some nodes is tried on fewer. One thread.
 */
final class NodeLimits {
    /** Afterwards a job is tried on more nodes again: a change of the limit may have escaped. */
    private static final Duration TRUSTED = Duration.ofMinutes(15);

    private final Map<String, Limit> limits = new LinkedHashMap<>();

    /**
     * A limit of a job.
     *
     * @param most nodes that the job may have, as far as is known
     * @param request what the job asked for when it was refused
     */
    private record Limit(StartObstacle obstacle, int most, StartObstacles.Request request, Instant until) {}

    /** The job was refused. Returns whether it may be tried on fewer nodes. */
    boolean met(SlurmJob job, StartObstacle obstacle, Instant now) {
        int most = obstacle.nodes().size() - 1;
        int least = Math.max(
                1, Math.max(job.demands().leastNodes(), job.demands().hosts().size()));
        if (!obstacle.isLimitOfNodes() || most < least || job.component() != null) {
            return false;
        }
        limits.put(job.key(), new Limit(obstacle, most, StartObstacles.Request.of(job), now.plus(TRUSTED)));
        return true;
    }

    /** Returns the most nodes on which a waiting job is tried; 0 for any number. */
    int most(SlurmJob job, Instant now) {
        @Nullable Limit limit = of(job, now);
        return limit == null ? 0 : limit.most();
    }

    /** Returns Slurm's words for the limit; null when none is known. */
    @Nullable
    String reason(SlurmJob job, Instant now) {
        @Nullable Limit limit = of(job, now);
        return limit == null ? null : limit.obstacle().reason();
    }

    private @Nullable Limit of(SlurmJob job, Instant now) {
        @Nullable Limit limit = limits.get(job.key());
        return limit != null && limit.until().isAfter(now) && limit.request().equals(StartObstacles.Request.of(job))
                ? limit
                : null;
    }

    /** Returns when it is forgotten; null for a job without a limit. */
    @Nullable
    Instant end(SlurmJob job, Instant now) {
        @Nullable Limit limit = of(job, now);
        return limit == null ? null : limit.until();
    }

    /** Returns the users of the jobs with limits. */
    Stream<String> users(Instant now) {
        return limits.values().stream()
                .filter(limit -> limit.until().isAfter(now))
                .map(limit -> limit.request().user());
    }

    /** Something else is allowed to jobs with such requests. Returns those that have no limit any more. */
    List<String> allow(Predicate<StartObstacles.Request> concerned) {
        List<String> jobs = limits.entrySet().stream()
                .filter(limit -> concerned.test(limit.getValue().request()))
                .map(Map.Entry::getKey)
                .toList();
        jobs.forEach(limits::remove);
        return jobs;
    }

    void forget(String job) {
        limits.remove(job);
    }

    void forget() {
        limits.clear();
    }

    int size() {
        return limits.size();
    }
}
