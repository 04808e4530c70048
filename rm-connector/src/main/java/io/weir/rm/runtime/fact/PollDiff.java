package io.weir.rm.runtime.fact;

import io.weir.rm.spi.Poll;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one epoch has published about nodes and jobs, and so what a poll adds to it. A report is published when it differs
 * from the last one, when a command touched its job, or when the poll is full; what a poll no longer lists is published
 * as REMOVED, unless it was a job that had ended. Jobs that left the machine come before jobs that enter it. One thread.
 */
final class PollDiff {
    private Map<String, NodeReport> nodes = new LinkedHashMap<>();
    private Map<String, JobReport> jobs = new LinkedHashMap<>();

    /** Jobs that a command was about since the last poll. */
    private final Set<String> touched = new HashSet<>();

    /** The reports of a poll that have to be published, in order. */
    record Changes(List<NodeReport> nodes, List<JobReport> jobs) {}

    /** Has the next poll publish this job whether it changed or not. */
    void touch(String jobId) {
        touched.add(jobId);
    }

    /** Returns what {@code poll} adds, and takes it as published. */
    Changes take(Poll poll, boolean full) {
        Changes changes = new Changes(changedNodes(poll, full), changedJobs(poll, full));
        touched.clear();
        return changes;
    }

    private List<NodeReport> changedNodes(Poll poll, boolean full) {
        List<NodeReport> changed = new ArrayList<>();
        Map<String, NodeReport> seen = new LinkedHashMap<>(capacity(poll.nodes().size()));
        for (NodeReport report : poll.nodes()) {
            @Nullable NodeReport before = nodes.remove(report.getNodeId());
            if (full || differs(before, report)) {
                changed.add(report);
            }
            seen.put(report.getNodeId(), report);
        }
        for (NodeReport gone : nodes.values()) {
            changed.add(NodeReport.newBuilder(gone).setState(NodeState.REMOVED).build());
        }
        nodes = seen;
        return changed;
    }

    private List<JobReport> changedJobs(Poll poll, boolean full) {
        List<JobReport> left = new ArrayList<>();
        List<JobReport> present = new ArrayList<>();
        Map<String, JobReport> seen = new LinkedHashMap<>(capacity(poll.jobs().size()));
        for (JobReport report : poll.jobs()) {
            @Nullable JobReport before = jobs.remove(report.getJobId());
            if (full || differs(before, report) || touched.contains(report.getJobId())) {
                (hasEnded(report) ? left : present).add(report);
            }
            seen.put(report.getJobId(), report);
        }
        for (JobReport gone : jobs.values()) {
            if (!hasEnded(gone)) {
                left.add(JobReport.newBuilder(gone).setState(JobState.REMOVED).build());
            }
        }
        jobs = seen;
        left.addAll(present);
        return left;
    }

    private static boolean differs(@Nullable Object before, Object now) {
        return before != now && !now.equals(before);
    }

    private static boolean hasEnded(JobReport report) {
        return switch (report.getState()) {
            case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
        };
    }

    private static int capacity(int entries) {
        return entries * 4 / 3 + 1;
    }
}
