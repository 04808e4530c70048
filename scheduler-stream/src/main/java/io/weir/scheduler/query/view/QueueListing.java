package io.weir.scheduler.query.view;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.JobStanding;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One cluster's jobs in sections, as operators are used to see them: active jobs by earliest completion, eligible jobs in
 * queue order, what is held or put off, and what has ended, the latest first.
 *
 * @param cluster name of the cluster
 * @param now the instant the listing is of
 * @param active jobs that hold processors
 * @param eligible jobs that may start
 * @param blocked jobs that wait for something else than processors
 * @param completed jobs that have ended and are still known
 * @param reserved ids of waiting jobs that hold a reservation
 * @param procsInUse processors held by active jobs on nodes that are up
 * @param procs processors of the nodes that are up
 * @param nodesInUse nodes that are up and have at least one active job
 * @param nodes nodes that are up
 */
public record QueueListing(
        String cluster,
        Instant now,
        List<JobStatus> active,
        List<JobStatus> eligible,
        List<JobStatus> blocked,
        List<JobStatus> completed,
        Set<String> reserved,
        int procsInUse,
        int procs,
        int nodesInUse,
        int nodes) {
    private static final Set<NodeState> AWAY = EnumSet.of(NodeState.DOWN, NodeState.REMOVED);

    /** As far as the records tell; computed priorities change with every instant and are asked for. */
    private static final Comparator<JobStatus> QUEUE_ORDER = Comparator.comparing(
                    QueueListing::systemPriority, Comparator.reverseOrder())
            .thenComparing(JobStatus::getSubmitTime)
            .thenComparingLong(JobStatus::getQueueSequence)
            .thenComparing(JobStatus::getJobId);

    /** Sorts what {@code image} has of {@code cluster}. */
    public static QueueListing of(ClusterImage image, String cluster, Instant now) {
        return of(image, cluster, now, PriorityRanking.NONE);
    }

    /** Sorts what {@code image} has of {@code cluster}, waiting jobs by {@code ranking}. */
    static QueueListing of(ClusterImage image, String cluster, Instant now, PriorityRanking ranking) {
        List<JobStatus> jobs = List.copyOf(image.jobsOf(cluster));
        List<JobStatus> active = jobs.stream()
                .filter(JobStanding::isActive)
                .sorted(Comparator.comparing((JobStatus job) -> JobStanding.end(job, now))
                        .thenComparing(QUEUE_ORDER))
                .toList();
        List<JobStatus> waiting = jobs.stream()
                .filter(JobStanding::isWaiting)
                .sorted(Comparator.comparingInt((JobStatus job) -> ranking.place(job.getJobId()))
                        .thenComparing(QUEUE_ORDER))
                .toList();
        List<JobStatus> completed = jobs.stream()
                .filter(job -> !JobStanding.isActive(job) && !JobStanding.isWaiting(job))
                .sorted(Comparator.comparing(
                                (JobStatus job) -> Objects.requireNonNullElse(job.getEndTime(), Instant.MIN),
                                Comparator.reverseOrder())
                        .thenComparing(QUEUE_ORDER))
                .toList();
        List<NodeStatus> up = image.nodesOf(cluster).stream()
                .filter(node -> !AWAY.contains(node.getState()))
                .toList();
        Set<String> there = up.stream().map(NodeStatus::getNodeId).collect(Collectors.toSet());
        List<NodeAllocation> held = active.stream()
                .flatMap(job -> job.getAllocation().stream())
                .filter(part -> there.contains(part.getNodeId()))
                .toList();
        return new QueueListing(
                cluster,
                now,
                active,
                waiting.stream().filter(job -> !JobStanding.isBlocked(job, now)).toList(),
                waiting.stream().filter(job -> JobStanding.isBlocked(job, now)).toList(),
                completed,
                image.reservationsOf(cluster).stream()
                        .map(ReservationStatus::getJobId)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toCollection(TreeSet::new)),
                held.stream().mapToInt(NodeAllocation::getProcs).sum(),
                processors(image, cluster, up),
                (int) held.stream().map(NodeAllocation::getNodeId).distinct().count(),
                up.size());
    }

    /** Returns the processors of {@code nodes} as the configuration has them. */
    private static int processors(ClusterImage image, String cluster, List<NodeStatus> nodes) {
        SitePolicy policy = image.reading(cluster).policy();
        return nodes.stream()
                .mapToInt(node ->
                        EffectiveNode.of(Node.from(node), policy).configured().procs())
                .sum();
    }

    /** Says whether a node is out of service. */
    static boolean isAway(NodeStatus node) {
        return AWAY.contains(node.getState());
    }

    private static long systemPriority(JobStatus job) {
        Integer priority = job.getSystemPriority();
        return priority == null ? Long.MIN_VALUE : priority;
    }

    /** How long a job may still run. */
    public Duration remaining(JobStatus job) {
        return Duration.between(now, JobStanding.end(job, now));
    }
}
