package io.weir.command.topics;

import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The starts that were decided beside those that the resource manager reports, job by job, in the order in which either
 * happened first. While Weir only watches, this is what it would have done beside what was done.
 *
 * @param rows one for each job that has either
 */
public record StartComparison(List<Row> rows) {
    /** Copies the rows. */
    public StartComparison {
        rows = List.copyOf(rows);
    }

    /** What became of a job's start. */
    public enum Verdict {
        /** It runs, or ran, on the nodes decided. */
        SAME,
        /** It runs, or ran, on others of the same kinds. */
        EQUAL,
        /** It runs, or ran, on nodes of other kinds. */
        ELSEWHERE,
        /** It runs, or ran, and no report names its nodes: it was over before one did. */
        NODES_UNKNOWN,
        /** It was decided and has not happened. */
        NOT_STARTED,
        /** It happened and was not decided. */
        NOT_DECIDED;

        /** Returns it in words. */
        public String words() {
            return this == NODES_UNKNOWN
                    ? "started, nodes unknown"
                    : name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * One job.
     *
     * @param decidedAt when its last start was decided; null when none was
     * @param executed whether a command went out for it
     * @param startedAt when the resource manager says it started last; null when it has not
     * @param startedNodes where; empty when it has not, and when no report names them
     * @param alike whether the nodes decided and those it runs on are of the same kinds
     * @param submittedAt when it entered the queue; null when no report tells
     */
    public record Row(
            String job,
            @Nullable Instant decidedAt,
            SortedSet<String> decidedNodes,
            boolean executed,
            @Nullable Instant startedAt,
            SortedSet<String> startedNodes,
            boolean alike,
            @Nullable Instant submittedAt) {

        /** Returns what became of the start. */
        public Verdict verdict() {
            if (decidedAt == null) {
                return Verdict.NOT_DECIDED;
            }
            if (startedAt == null) {
                return Verdict.NOT_STARTED;
            }
            if (startedNodes.isEmpty()) {
                return Verdict.NODES_UNKNOWN;
            }
            if (decidedNodes.equals(startedNodes)) {
                return Verdict.SAME;
            }
            return alike ? Verdict.EQUAL : Verdict.ELSEWHERE;
        }

        /** Returns how long the job waited until it was decided, seconds; empty when that is not known. */
        public OptionalLong decidedWait() {
            return wait(decidedAt);
        }

        /** Returns how long the job waited until it started, seconds; empty when that is not known. */
        public OptionalLong startedWait() {
            return wait(startedAt);
        }

        private OptionalLong wait(@Nullable Instant until) {
            return submittedAt == null || until == null
                    ? OptionalLong.empty()
                    : OptionalLong.of(
                            Math.max(0, Duration.between(submittedAt, until).toSeconds()));
        }

        private Instant first() {
            Instant earlier =
                    decidedAt == null || (startedAt != null && startedAt.isBefore(decidedAt)) ? startedAt : decidedAt;
            return earlier == null ? Instant.EPOCH : earlier;
        }
    }

    /** Compares the decisions and reports of {@code cluster}, each in the order in which they were published. */
    public static StartComparison of(
            String cluster, List<Decision> decisions, List<JobReport> reports, List<NodeReport> nodes) {
        NodeKinds kinds = new NodeKinds(cluster, nodes);
        Map<String, Instant> submitted = new HashMap<>();
        Map<String, Decision> decided = new LinkedHashMap<>();
        for (Decision decision : decisions) {
            if (decision.getCluster().equals(cluster) && decision.getKind() == DecisionKind.START) {
                decided.put(decision.getJobId(), decision);
            }
        }
        for (JobReport report : reports) {
            if (report.getCluster().equals(cluster)) {
                submitted.putIfAbsent(report.getJobId(), report.getSubmitTime());
            }
        }
        Map<String, JobReport> started = started(cluster, reports);
        SortedSet<String> jobs = new TreeSet<>(decided.keySet());
        jobs.addAll(started.keySet());
        List<Row> rows = new ArrayList<>();
        for (String job : jobs) {
            Decision decision = decided.get(job);
            JobReport report = started.get(job);
            SortedSet<String> decidedNodes = decision == null ? new TreeSet<>() : names(decision.getAllocation());
            SortedSet<String> startedNodes = report == null ? new TreeSet<>() : names(report.getAllocation());
            rows.add(new Row(
                    job,
                    decision == null ? null : decision.getTime(),
                    decidedNodes,
                    decision != null && decision.getExecuted(),
                    report == null ? null : report.getStartTime(),
                    startedNodes,
                    kinds.alike(decidedNodes, startedNodes),
                    submitted.get(job)));
        }
        rows.sort(Comparator.comparing(Row::first).thenComparing(Row::job));
        return new StartComparison(rows);
    }

    /** Returns the report that tells most of the last start of each job: one of a job that is over may not name its nodes. */
    private static Map<String, JobReport> started(String cluster, List<JobReport> reports) {
        Map<String, JobReport> started = new HashMap<>();
        Set<String> waitAgain = new HashSet<>();
        for (JobReport report : reports) {
            String job = report.getJobId();
            if (!report.getCluster().equals(cluster)) {
                continue;
            }
            if (report.getStartTime() == null) {
                waitAgain.add(job);
            } else if (!report.getAllocation().isEmpty() || !started.containsKey(job) || waitAgain.contains(job)) {
                started.put(job, report);
                waitAgain.remove(job);
            }
        }
        return started;
    }

    /** Returns how many rows have that verdict. */
    public long count(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }

    private static SortedSet<String> names(List<NodeAllocation> allocation) {
        SortedSet<String> names = new TreeSet<>();
        allocation.forEach(node -> names.add(node.getNodeId()));
        return names;
    }
}
