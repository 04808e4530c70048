package io.weir.rm.runtime.fact;

import io.weir.rm.spi.Poll;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What one epoch has published about nodes and jobs, and so what a poll adds to it. A report is published when it differs
 * from the last one, when a command touched its job, or when the poll is full; what a poll no longer lists is published
 * as REMOVED, unless it was a job that had ended. That a node was heard of again is no difference: whether it is silent is
 * told by its state. Jobs that left the machine come before jobs that enter it. One thread.
 */
final class PollDiff {
    /** What a node says when all is as before. */
    private static final int NODE_UPDATE_TIME =
            NodeReport.getClassSchema().getField("updateTime").pos();

    private static final int NODE_FIELDS =
            NodeReport.getClassSchema().getFields().size();

    private final Map<String, Known<NodeReport>> nodes = new LinkedHashMap<>();
    private final Map<String, Known<JobReport>> jobs = new LinkedHashMap<>();

    /** Jobs that a command was about since the last poll. */
    private final Set<String> touched = new HashSet<>();

    private long polls;

    /** What was measured last, by node and metric. */
    private Map<List<String>, Double> metrics = new HashMap<>();

    /** Events of the last poll: one that stays in the list is told once. */
    private Set<List<String>> events = new HashSet<>();

    /** What has to be published of a poll, in order. */
    record Changes(List<NodeReport> nodes, List<JobReport> jobs, List<NodeMetric> metrics, List<GenericEvent> events) {}

    /** The last report of an entity, and the last poll that listed it. */
    private static final class Known<T> {
        private T report;
        private long poll;

        Known(T report, long poll) {
            this.report = report;
            this.poll = poll;
        }
    }

    /** Has the next poll publish this job whether it changed or not. */
    void touch(String jobId) {
        touched.add(jobId);
    }

    /** Returns what {@code poll} adds, and takes it as published. */
    Changes take(Poll poll, boolean full) {
        polls++;
        Changes changes =
                new Changes(changedNodes(poll, full), changedJobs(poll, full), changedMetrics(poll), newEvents(poll));
        touched.clear();
        return changes;
    }

    /** Returns what a look at single jobs adds, and takes it as published. */
    List<JobReport> take(List<JobReport> seen) {
        List<JobReport> changed = new ArrayList<>();
        for (JobReport report : seen) {
            boolean news = isNews(jobs, report.getJobId(), report, JobReport::equals);
            if (touched.remove(report.getJobId()) || news) {
                changed.add(report);
            }
        }
        return changed;
    }

    private List<NodeMetric> changedMetrics(Poll poll) {
        Map<List<String>, Double> seen = new HashMap<>();
        List<NodeMetric> changed = new ArrayList<>();
        for (NodeMetric metric : poll.metrics()) {
            List<String> which = List.of(metric.getNodeId(), metric.getMetric());
            seen.put(which, metric.getValue());
            if (!Objects.equals(metrics.get(which), metric.getValue())) {
                changed.add(metric);
            }
        }
        metrics = seen;
        return changed;
    }

    private List<GenericEvent> newEvents(Poll poll) {
        Set<List<String>> seen = new HashSet<>();
        List<GenericEvent> happened = new ArrayList<>();
        for (GenericEvent event : poll.events()) {
            List<String> which = List.of(
                    event.getObjectType(),
                    event.getObjectId(),
                    event.getName(),
                    String.valueOf(event.getMessage()),
                    event.getTime().toString(),
                    String.valueOf(event.getActive()));
            if (seen.add(which) && !events.contains(which)) {
                happened.add(event);
            }
        }
        events = seen;
        return happened;
    }

    private List<NodeReport> changedNodes(Poll poll, boolean full) {
        List<NodeReport> changed = new ArrayList<>();
        for (NodeReport report : poll.nodes()) {
            if (isNews(nodes, report.getNodeId(), report, PollDiff::saysTheSame) || full) {
                changed.add(report);
            }
        }
        for (NodeReport gone : takeGone(nodes)) {
            changed.add(NodeReport.newBuilder(gone).setState(NodeState.REMOVED).build());
        }
        return changed;
    }

    private List<JobReport> changedJobs(Poll poll, boolean full) {
        List<JobReport> left = new ArrayList<>();
        List<JobReport> present = new ArrayList<>();
        for (JobReport report : poll.jobs()) {
            if (isNews(jobs, report.getJobId(), report, JobReport::equals)
                    || full
                    || touched.contains(report.getJobId())) {
                (hasEnded(report) ? left : present).add(report);
            }
        }
        for (JobReport gone : takeGone(jobs)) {
            if (!hasEnded(gone)) {
                left.add(JobReport.newBuilder(gone).setState(JobState.REMOVED).build());
            }
        }
        left.addAll(present);
        return left;
    }

    /** Remembers {@code report} and says whether it differs, by {@code same}, from the one remembered before. */
    private <T> boolean isNews(Map<String, Known<T>> known, String id, T report, BiPredicate<T, T> same) {
        @Nullable Known<T> before = known.get(id);
        if (before == null) {
            known.put(id, new Known<>(report, polls));
            return true;
        }
        before.poll = polls;
        if (before.report == report) {
            return false;
        }
        boolean differs = !same.test(before.report, report);
        before.report = report;
        return differs;
    }

    private static boolean saysTheSame(NodeReport before, NodeReport now) {
        for (int field = 0; field < NODE_FIELDS; field++) {
            if (field != NODE_UPDATE_TIME && !Objects.equals(before.get(field), now.get(field))) {
                return false;
            }
        }
        return true;
    }

    /** Forgets and returns what this poll did not list. */
    private <T> List<T> takeGone(Map<String, Known<T>> known) {
        List<T> gone = new ArrayList<>();
        known.values().removeIf(entity -> {
            if (entity.poll == polls) {
                return false;
            }
            gone.add(entity.report);
            return true;
        });
        return gone;
    }

    private static boolean hasEnded(JobReport report) {
        return switch (report.getState()) {
            case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
        };
    }
}
