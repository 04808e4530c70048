package io.weir.command.topics;

import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        /** It runs, or ran, on others. */
        ELSEWHERE,
        /** It was decided and has not happened. */
        NOT_STARTED,
        /** It happened and was not decided. */
        NOT_DECIDED
    }

    /**
     * One job.
     *
     * @param decidedAt when its last start was decided; null when none was
     * @param executed whether a command went out for it
     * @param startedAt when the resource manager says it started last; null when it has not
     */
    public record Row(
            String job,
            @Nullable Instant decidedAt,
            SortedSet<String> decidedNodes,
            boolean executed,
            @Nullable Instant startedAt,
            SortedSet<String> startedNodes) {

        /** Returns what became of the start. */
        public Verdict verdict() {
            if (decidedAt == null) {
                return Verdict.NOT_DECIDED;
            }
            if (startedAt == null) {
                return Verdict.NOT_STARTED;
            }
            return decidedNodes.equals(startedNodes) ? Verdict.SAME : Verdict.ELSEWHERE;
        }

        private Instant first() {
            Instant earlier =
                    decidedAt == null || (startedAt != null && startedAt.isBefore(decidedAt)) ? startedAt : decidedAt;
            return earlier == null ? Instant.EPOCH : earlier;
        }
    }

    /** Compares the decisions and reports of {@code cluster}, each in the order in which they were published. */
    public static StartComparison of(String cluster, List<Decision> decisions, List<JobReport> reports) {
        Map<String, Decision> decided = new LinkedHashMap<>();
        for (Decision decision : decisions) {
            if (decision.getCluster().equals(cluster) && decision.getKind() == DecisionKind.START) {
                decided.put(decision.getJobId(), decision);
            }
        }
        Map<String, JobReport> started = new HashMap<>();
        for (JobReport report : reports) {
            if (report.getCluster().equals(cluster)
                    && report.getStartTime() != null
                    && !report.getAllocation().isEmpty()) {
                started.put(report.getJobId(), report);
            }
        }
        SortedSet<String> jobs = new TreeSet<>(decided.keySet());
        jobs.addAll(started.keySet());
        List<Row> rows = new ArrayList<>();
        for (String job : jobs) {
            Decision decision = decided.get(job);
            JobReport report = started.get(job);
            rows.add(new Row(
                    job,
                    decision == null ? null : decision.getTime(),
                    decision == null ? new TreeSet<>() : names(decision.getAllocation()),
                    decision != null && decision.getExecuted(),
                    report == null ? null : report.getStartTime(),
                    report == null ? new TreeSet<>() : names(report.getAllocation())));
        }
        rows.sort(Comparator.comparing(Row::first).thenComparing(Row::job));
        return new StartComparison(rows);
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
