package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.Job;
import java.util.List;

/**
 * Nodes that failed under a job and are answered together.
 *
 * @param job the job, in force
 * @param nodes their names, in the order in which they failed; not empty
 * @param policy why it is answered so, for people: the policy and the level it comes from
 */
record StrickenJob(Job job, List<String> nodes, String policy) {
    private static final int MOST_NAMED = 8;

    StrickenJob {
        nodes = List.copyOf(nodes);
    }

    /** Returns what happened and which policy holds, for people. */
    String text() {
        String more = nodes.size() > MOST_NAMED ? " and " + (nodes.size() - MOST_NAMED) + " more" : "";
        return (nodes.size() == 1 ? "node " : "nodes ")
                + String.join(",", nodes.subList(0, Math.min(MOST_NAMED, nodes.size()))) + more + " failed; " + policy;
    }
}
