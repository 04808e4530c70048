package io.weir.scheduler.simulator;

import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.trace.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The jobs and nodes of a simulation with failures, as a resource manager sees them, and what the failures cost. */
final class SimulatedRuns {
    /** A run of a job that is over. */
    record Ended(TraceJob job, long start, long end) {}

    /** A run of a job under way. */
    private static final class Run {
        private final TraceJob job;
        private final long start;
        private final Map<String, Integer> nodes = new TreeMap<>();

        /** Since when failed nodes are among its nodes. */
        private final Map<String, Long> failed = new TreeMap<>();

        private boolean over;

        Run(TraceJob job, long start) {
            this.job = job;
            this.start = start;
        }

        long end() {
            return start + job.occupied();
        }
    }

    private final ClusterModel cluster;
    private final Map<String, TraceJob> byId = new LinkedHashMap<>();
    private final Map<String, Integer> positions = new LinkedHashMap<>();
    private final Map<String, Run> running = new TreeMap<>();
    private final PriorityQueue<Run> ends =
            new PriorityQueue<>(Comparator.comparingLong(Run::end).thenComparingLong(run -> run.job.sequence()));
    private final Set<String> waiting = new TreeSet<>();

    /** Jobs that were put back after a failure, and when. */
    private final Map<String, Long> struckAt = new TreeMap<>();

    private final Map<String, Integer> used = new TreeMap<>();
    private final Map<String, Long> downSince = new TreeMap<>();
    private final Map<String, Set<String>> jobsOn = new TreeMap<>();
    private int completed;
    private int endedByFailure;
    private long failures;
    private long struck;
    private long lostNodeSeconds;
    private long wasted;
    private long resumed;
    private long secondsToResume;
    private int startedTwice;
    private int exceeded;

    SimulatedRuns(ClusterModel cluster, List<TraceJob> jobs) {
        this.cluster = cluster;
        jobs.forEach(job -> byId.put(job.id(), job));
        for (int i = 0; i < cluster.nodes(); i++) {
            positions.put(cluster.nodeName(i), i);
        }
    }

    void submitted(TraceJob job) {
        waiting.add(job.id());
    }

    boolean anyLeft() {
        return !waiting.isEmpty() || !running.isEmpty();
    }

    boolean anyRunning() {
        return !running.isEmpty();
    }

    /** Returns how many jobs have come to their end, by themselves or by a failure. */
    int over() {
        return completed + endedByFailure;
    }

    /** Returns how often nodes failed. */
    long failures() {
        return failures;
    }

    /** Returns when the next run ends by itself; {@code Long.MAX_VALUE} for none. */
    long nextEnd() {
        while (!ends.isEmpty() && ends.element().over) {
            ends.remove();
        }
        return ends.isEmpty() ? Long.MAX_VALUE : ends.element().end();
    }

    /** Ends the runs that are over by {@code now}, in order. */
    List<Ended> endsBy(long now) {
        List<Ended> ended = new ArrayList<>();
        while (nextEnd() <= now) {
            Run run = ends.remove();
            ended.add(new Ended(run.job, run.start, run.end()));
            completed++;
            leave(run, run.end());
        }
        return ended;
    }

    /** A node fails or comes back. */
    void changed(int position, boolean up, long now) {
        String node = cluster.nodeName(position);
        Set<String> there = jobsOn.getOrDefault(node, Set.of());
        if (up) {
            Long since = downSince.remove(node);
            lostNodeSeconds += since == null ? 0 : now - since;
            there.forEach(id -> keptFailed(running(id), node, now));
            return;
        }
        failures++;
        struck += there.size();
        downSince.put(node, now);
        there.forEach(id -> running(id).failed.put(node, now));
    }

    /** Carries out a command; returns the run it ended for good, null for none. */
    @Nullable
    Ended carryOut(RmCommand command, long now) {
        String id = String.valueOf(command.getJobId());
        Run run = running.get(id);
        switch (command.getKind()) {
            case START_JOB -> start(id, command.getAllocation(), now);
            case CANCEL_JOB -> {
                waiting.remove(id);
                if (run != null) {
                    thrownAway(run, now);
                    endedByFailure++;
                    return new Ended(run.job, run.start, now);
                }
            }
            case REQUEUE_JOB -> {
                if (run != null) {
                    thrownAway(run, now);
                    waiting.add(id);
                    struckAt.put(id, now);
                }
            }
            case ADD_NODES -> {
                if (run != null) {
                    take(run, command.getAllocation());
                    resumed++;
                }
            }
            case REMOVE_NODES -> {
                if (run != null) {
                    for (NodeAllocation node : command.getAllocation()) {
                        keptFailed(run, node.getNodeId(), now);
                        giveBack(run, node.getNodeId());
                    }
                }
            }
            case CREATE_RESERVATION, RELEASE_RESERVATION -> {
                // Nobody but the core starts anything here, so nobody else has to know of them.
            }
            case UNKNOWN,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    FULL_POLL,
                    MODIFY_JOB,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    SIGNAL_JOB ->
                throw new IllegalStateException("the core commands " + command + ", which is not expected here");
        }
        return null;
    }

    private void start(String id, List<NodeAllocation> nodes, long now) {
        TraceJob job = byId.get(id);
        if (job == null || running.containsKey(id) || !waiting.remove(id)) {
            startedTwice++;
            return;
        }
        Run run = new Run(job, now);
        running.put(id, run);
        ends.add(run);
        take(run, nodes);
        Long since = struckAt.remove(id);
        if (since != null) {
            resumed++;
            secondsToResume += now - since;
        }
    }

    private void take(Run run, List<NodeAllocation> nodes) {
        for (NodeAllocation node : nodes) {
            int now = used.merge(node.getNodeId(), node.getProcs(), Integer::sum);
            boolean fits = positions.containsKey(node.getNodeId()) && now <= cluster.procsPerNode();
            exceeded += fits && !downSince.containsKey(node.getNodeId()) ? 0 : 1;
            run.nodes.merge(node.getNodeId(), node.getProcs(), Integer::sum);
            jobsOn.computeIfAbsent(node.getNodeId(), n -> new TreeSet<>()).add(run.job.id());
        }
    }

    private void thrownAway(Run run, long now) {
        int procs = run.nodes.values().stream().mapToInt(Integer::intValue).sum();
        wasted += (now - run.start) * procs;
        run.failed.clear();
        leave(run, now);
    }

    private void leave(Run run, long now) {
        run.over = true;
        running.remove(run.job.id());
        for (String node : List.copyOf(run.nodes.keySet())) {
            keptFailed(run, node, now);
            giveBack(run, node);
        }
    }

    /** Counts what a job kept of a failed node in vain. */
    private void keptFailed(Run run, String node, long now) {
        Long since = run.failed.remove(node);
        wasted += since == null ? 0 : (now - since) * run.nodes.getOrDefault(node, 0);
    }

    private void giveBack(Run run, String node) {
        Integer procs = run.nodes.remove(node);
        if (procs != null) {
            used.merge(node, -procs, Integer::sum);
            jobsOn.getOrDefault(node, new TreeSet<>()).remove(run.job.id());
        }
    }

    private Run running(String id) {
        Run run = running.get(id);
        if (run == null) {
            throw new IllegalStateException("job " + id + " is on a node and does not run");
        }
        return run;
    }

    /** Returns what came of it all after {@code makespan} seconds, up to {@code last}. */
    FailureFigures figures(String policy, long makespan, long last, boolean replayed) {
        long away = lostNodeSeconds;
        for (long since : downSince.values()) {
            away += Math.max(0, last - since);
        }
        return new FailureFigures(
                policy,
                byId.size(),
                completed,
                endedByFailure,
                failures,
                struck,
                away,
                wasted,
                resumed,
                secondsToResume,
                makespan,
                waiting.size() + running.size(),
                byId.size() - completed - endedByFailure - waiting.size() - running.size(),
                startedTwice,
                exceeded,
                replayed);
    }
}
