package io.weir.command.queue;

import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The clusters as their state topics show them at one moment, read committed.
 *
 * @param jobs latest version by record key
 * @param nodes latest version by record key
 * @param iterations latest iteration by cluster
 */
public record ClusterImage(
        SortedMap<String, JobStatus> jobs,
        SortedMap<String, NodeStatus> nodes,
        SortedMap<String, Iteration> iterations) {
    /** Returns an image of nothing, to be filled. */
    public static ClusterImage empty() {
        return new ClusterImage(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    /** Returns the names of all clusters. */
    public SortedSet<String> clusters() {
        SortedSet<String> names = new TreeSet<>(iterations.keySet());
        jobs.values().forEach(job -> names.add(job.getCluster()));
        nodes.values().forEach(node -> names.add(node.getCluster()));
        return names;
    }

    /** Returns the instant of the cluster's last iteration. */
    public Optional<Instant> now(String cluster) {
        return Optional.ofNullable(iterations.get(cluster)).map(Iteration::getNow);
    }
}
