package io.weir.scheduler.query.image;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import io.weir.schemas.Explanation;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.ReservationStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The clusters as their state topics show them at one moment, read committed. One thread at a time.
 *
 * @param jobs latest version by record key
 * @param nodes latest version by record key
 * @param reservations latest version by record key
 * @param explanations latest version by record key
 * @param policies the versions of the policy that may still matter
 * @param iterations latest iteration by cluster
 * @param heartbeats latest word of every connector by record key
 * @param heard when that word was written, by its writer's clock, by record key
 * @param epochs epoch of every connector by record key
 * @param waits how long jobs waited that started of late, by cluster
 */
public record ClusterImage(
        SortedMap<String, JobStatus> jobs,
        SortedMap<String, NodeStatus> nodes,
        SortedMap<String, ReservationStatus> reservations,
        SortedMap<String, Explanation> explanations,
        PolicyTexts policies,
        SortedMap<String, Iteration> iterations,
        SortedMap<String, Heartbeat> heartbeats,
        SortedMap<String, Instant> heard,
        SortedMap<String, Long> epochs,
        SortedMap<String, WaitHistory> waits) {
    /** Returns an image of nothing, to be filled. */
    public static ClusterImage empty() {
        return new ClusterImage(
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new PolicyTexts(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
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

    /** Returns the cluster's jobs, by id. */
    public Collection<JobStatus> jobsOf(String cluster) {
        return of(cluster, jobs).values();
    }

    /** Returns the cluster's nodes, by id. */
    public Collection<NodeStatus> nodesOf(String cluster) {
        return of(cluster, nodes).values();
    }

    /** Returns the cluster's reservations, by id. */
    public Collection<ReservationStatus> reservationsOf(String cluster) {
        return of(cluster, reservations).values();
    }

    /** Returns the cluster's explanations, by job. */
    public Collection<Explanation> explanationsOf(String cluster) {
        return of(cluster, explanations).values();
    }

    /** Returns the policy in force; empty while the cluster runs on the built-in defaults. */
    public Optional<PolicyVersion> policy(String cluster) {
        Iteration last = iterations.get(cluster);
        return last == null ? Optional.empty() : policies.of(cluster, last.getPolicyVersion());
    }

    /** Returns the latest word of each of the cluster's connectors. */
    public Collection<Heartbeat> heartbeatsOf(String cluster) {
        return of(cluster, heartbeats).values();
    }

    /** Returns the text of the configuration in force, what was added at run time included. */
    public String policyText(String cluster) {
        return runtimeSettings(cluster)
                .appendedTo(policy(cluster).map(PolicyVersion::getText).orElse(""));
    }

    /** Returns what that text says; it is read once. */
    public SitePolicy.Reading reading(String cluster) {
        return policies.reading(cluster, policyText(cluster));
    }

    /** Returns that text, with what the failure service keeps of its own in place of what was refused. */
    public String failureServiceText(String cluster) {
        String text = policyText(cluster);
        Iteration last = iterations.get(cluster);
        return last == null
                ? text
                : last.getStanding().stream()
                        .filter(value -> value.getName().equals(NonstopText.RECORD))
                        .findFirst()
                        .map(value -> NonstopText.with(text, value.getValue()))
                        .orElse(text);
    }

    /** Returns the settings added to the configuration at run time. */
    public RuntimeSettings runtimeSettings(String cluster) {
        Iteration last = iterations.get(cluster);
        return last == null ? RuntimeSettings.NONE : RuntimeSettings.from(last.getRuntimeSettings());
    }

    /** Returns the entity with {@code id} of a map of this image; null when there is none. */
    public static <T> @Nullable T find(String cluster, String id, SortedMap<String, T> in) {
        return in.get(cluster + "/" + id);
    }

    /** '0' follows '/': everything of the cluster lies between. */
    private static <T> SortedMap<String, T> of(String cluster, SortedMap<String, T> all) {
        return all.subMap(cluster + "/", cluster + "0");
    }
}
