package io.weir.rm.runtime.fact;

import io.weir.rm.spi.Poll;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the nodes that running jobs have and that the poll does not list: of unknown state, with the processors that the jobs
 * have there. Without them the scheduler could not take in the jobs, and would give their other nodes away. One thread.
 */
final class UnlistedNodes {
    private static final Logger log = LoggerFactory.getLogger(UnlistedNodes.class);

    private Set<String> told = Set.of();

    /** Returns {@code poll} with all nodes of running jobs; those it did not list come last, by name. */
    Poll completed(Poll poll) {
        Set<String> listed = new HashSet<>();
        poll.nodes().forEach(node -> listed.add(node.getNodeId()));
        Map<String, NodeReport> unlisted = new TreeMap<>();
        for (JobReport job : poll.jobs()) {
            if (runs(job)) {
                for (NodeAllocation share : job.getAllocation()) {
                    if (!listed.contains(share.getNodeId())) {
                        unlisted.merge(share.getNodeId(), node(job, share), UnlistedNodes::both);
                    }
                }
            }
        }
        tell(unlisted);
        if (unlisted.isEmpty()) {
            return poll;
        }
        List<NodeReport> all = new ArrayList<>(poll.nodes());
        all.addAll(unlisted.values());
        return new Poll(poll.rmTime(), all, poll.jobs(), poll.metrics(), poll.events());
    }

    /** Returns how many nodes were added to the last poll. */
    int count() {
        return told.size();
    }

    private void tell(Map<String, NodeReport> unlisted) {
        unlisted.forEach((id, node) -> {
            if (!told.contains(id)) {
                log.warn("node={} is not listed: {}", id, node.getReason());
            }
        });
        told = new TreeSet<>(unlisted.keySet());
    }

    private static boolean runs(JobReport job) {
        return job.getState() == JobState.RUNNING || job.getState() == JobState.SUSPENDED;
    }

    private static NodeReport node(JobReport job, NodeAllocation share) {
        return NodeReport.newBuilder()
                .setCluster(job.getCluster())
                .setNodeId(share.getNodeId())
                .setState(NodeState.UNKNOWN)
                .setProcs(share.getProcs())
                .setReason("job " + job.getJobId() + " runs there, but the resource manager does not list the node")
                .build();
    }

    private static NodeReport both(NodeReport one, NodeReport other) {
        return NodeReport.newBuilder(one)
                .setProcs(one.getProcs() + other.getProcs())
                .build();
    }
}
