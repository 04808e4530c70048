package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What kept jobs from starting, while it lasts as far as is known. A job that waits for something passing is tried again after
 * a while that doubles with each attempt, and at once when the licences it wants are free. Nodes that did not suit a job are
 * left out for a while. Nothing of it outlives the process; losing it costs an attempt. One thread.
 */
public final class StartObstacles {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration NODES_LEFT_OUT = Duration.ofMinutes(5);
    private static final String LICENCES = "Licenses";
    private static final int JOBS_KEPT = 100_000;

    private final Map<String, Wait> waits = new LinkedHashMap<>();
    private final Map<String, TreeMap<String, Instant>> unsuited = new LinkedHashMap<>();

    /** Jobs whose wait ended before its time and that are still to be told. */
    private final Set<String> ended = new LinkedHashSet<>();

    private record Wait(String reason, Duration length, Instant until, Map<String, Long> licences) {}

    /** A start of the job was taken back for this. */
    public void met(SlurmJob job, StartObstacle obstacle, Instant now) {
        if (waits.size() + unsuited.size() > JOBS_KEPT) {
            waits.clear();
            unsuited.clear();
            ended.clear();
        }
        switch (obstacle.kind()) {
            case PASSING -> {
                @Nullable Wait before = waits.get(job.key());
                Duration length = before == null ? FIRST_WAIT : before.length().multipliedBy(2);
                Duration wait = length.compareTo(LONGEST_WAIT) < 0 ? length : LONGEST_WAIT;
                waits.put(
                        job.key(),
                        new Wait(
                                obstacle.reason(),
                                wait,
                                now.plus(wait),
                                obstacle.reason().startsWith(LICENCES)
                                        ? job.demands().licences()
                                        : Map.of()));
            }
            case NODES -> {
                TreeMap<String, Instant> nodes = unsuited.computeIfAbsent(job.key(), id -> new TreeMap<>());
                obstacle.nodes().forEach(node -> nodes.put(node, now.plus(NODES_LEFT_OUT)));
            }
            case OTHER -> {
                // The scheduler's business.
            }
        }
    }

    /** What kept jobs back by {@code obstacle} is over: they may be tried again at once. */
    public void end(StartObstacle obstacle, Instant now) {
        waits.replaceAll((job, wait) -> {
            if (!wait.reason().equals(obstacle.reason()) || !wait.until().isAfter(now)) {
                return wait;
            }
            ended.add(job);
            return new Wait(wait.reason(), wait.length(), now, wait.licences());
        });
    }

    /** Returns the jobs whose wait has ended before its time since the last call, in the order in which they began to wait. */
    List<String> takeEnded() {
        List<String> jobs = List.copyOf(ended);
        ended.clear();
        return jobs;
    }

    /** The job started, or is gone. */
    public void forget(String job) {
        waits.remove(job);
        unsuited.remove(job);
        ended.remove(job);
    }

    /** Returns what a waiting job waits for besides nodes; empty when it may be tried. */
    Optional<String> waitsFor(SlurmJob job, Instant now) {
        @Nullable Wait wait = waits.get(job.key());
        return wait != null && wait.until().isAfter(now)
                ? Optional.of("Slurm would not start it now: " + wait.reason())
                : Optional.empty();
    }

    /** Returns the nodes that did not suit the job lately. */
    public Set<String> leftOut(SlurmJob job, Instant now) {
        @Nullable TreeMap<String, Instant> nodes = unsuited.get(job.key());
        if (nodes == null) {
            return Set.of();
        }
        nodes.values().removeIf(until -> !until.isAfter(now));
        if (nodes.isEmpty()) {
            unsuited.remove(job.key());
        }
        return nodes.keySet();
    }

    /** Returns when an answer changes by the passing of time; null for not. */
    @Nullable
    Instant nextChange(SlurmJob job, Instant now) {
        @Nullable Wait wait = waits.get(job.key());
        @Nullable Instant next = wait != null && wait.until().isAfter(now) ? wait.until() : null;
        for (Instant until : unsuited.getOrDefault(job.key(), new TreeMap<>()).values()) {
            next = next == null || until.isBefore(next) ? until : next;
        }
        return next;
    }

    /** Says whether some job waits for licences. */
    boolean wantsLicences(Instant now) {
        return waits.values().stream()
                .anyMatch(wait -> !wait.licences().isEmpty() && wait.until().isAfter(now));
    }

    /** Takes note of free licences; returns the jobs that may be tried again, in the order in which they began to wait. */
    List<String> licencesFree(Map<String, Long> free, Instant now) {
        Map<String, Long> left = new TreeMap<>(free);
        List<String> again = new ArrayList<>();
        waits.replaceAll((job, wait) -> {
            boolean enough = !wait.licences().isEmpty()
                    && wait.until().isAfter(now)
                    && wait.licences().entrySet().stream()
                            .allMatch(wanted -> left.getOrDefault(wanted.getKey(), 0L) >= wanted.getValue());
            if (!enough) {
                return wait;
            }
            wait.licences().forEach((name, count) -> left.merge(name, -count, Long::sum));
            again.add(job);
            return new Wait(wait.reason(), wait.length(), now, wait.licences());
        });
        return again;
    }
}
