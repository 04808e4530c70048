package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link QueueListing} as JSON: instants in ISO 8601, spans in seconds. */
final class QueueJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double LEAST_LIMIT_SECONDS = 60;

    private final ClusterImage image;
    private final QueueListing queue;
    private final PriorityRanking ranking;

    private QueueJson(ClusterImage image, QueueListing queue, PriorityRanking ranking) {
        this.image = image;
        this.queue = queue;
        this.ranking = ranking;
    }

    /** Returns the listing as an object. */
    static ObjectNode of(ClusterImage image, QueueListing queue, PriorityRanking ranking) {
        return new QueueJson(image, queue, ranking).object();
    }

    private ObjectNode object() {
        ObjectNode root = NODES.objectNode()
                .put("cluster", queue.cluster())
                .put("now", queue.now().toString())
                .put("procsInUse", queue.procsInUse())
                .put("procs", queue.procs())
                .put("nodesInUse", queue.nodesInUse())
                .put("nodes", queue.nodes());
        root.set("active", jobs(queue.active()));
        root.set("eligible", jobs(queue.eligible()));
        root.set("blocked", jobs(queue.blocked()));
        root.set("completed", jobs(queue.completed()));
        return root;
    }

    private ArrayNode jobs(List<JobStatus> jobs) {
        ArrayNode array = NODES.arrayNode();
        for (JobStatus job : jobs) {
            ObjectNode node = array.addObject()
                    .put("jobId", job.getJobId())
                    .put("name", job.getName())
                    .put("user", job.getUser())
                    .put("group", job.getGroup())
                    .put("account", job.getAccount())
                    .put("jobClass", job.getJobClass())
                    .put("qos", job.getQos())
                    .put("state", job.getState().name())
                    .put("held", job.getHeld())
                    .put("procs", QueueListing.procs(job))
                    .put("walltimeSeconds", job.getWalltimeSeconds())
                    .put("submitTime", job.getSubmitTime().toString())
                    .put("startTime", text(job.getStartTime()))
                    .put("endTime", text(job.getEndTime()))
                    .put("notBefore", text(job.getNotBefore()))
                    .put("exitCode", job.getExitCode())
                    .put("reason", job.getReason())
                    .put("reservation", job.getReservation())
                    .put("backfilled", job.getBackfilled())
                    .put("preemptible", job.getFlags().contains("PREEMPTEE"))
                    .put("systemPriority", job.getSystemPriority())
                    .put("eligibleSince", text(job.getEligibleSince()));
            ArrayNode holds = node.putArray("holds");
            job.getHolds().forEach(holds::add);
            place(job, node);
            if (QueueListing.isActive(job)) {
                node.put("remainingSeconds", queue.remaining(job).toSeconds());
            } else if (QueueListing.isWaiting(job)) {
                waiting(job, node);
            }
        }
        return array;
    }

    /** Adds the first node a job has, and that node's partition. */
    private void place(JobStatus job, ObjectNode node) {
        if (!job.getAllocation().isEmpty()) {
            String first = job.getAllocation().get(0).getNodeId();
            NodeStatus status = ClusterImage.find(queue.cluster(), first, image.nodes());
            node.put("firstNode", first).put("partition", status == null ? null : status.getPartition());
        }
    }

    private void waiting(JobStatus job, ObjectNode node) {
        long waited = Duration.between(job.getSubmitTime(), queue.now()).toSeconds();
        node.put("reserved", queue.reserved().contains(job.getJobId()))
                .put("xfactor", 1 + waited / Math.max(LEAST_LIMIT_SECONDS, (double) job.getWalltimeSeconds()));
        Explanation why = ClusterImage.find(queue.cluster(), job.getJobId(), image.explanations());
        node.put("priority", priority(job, why));
        if (why != null) {
            node.put("constraint", why.getConstraint()).put("expectedStart", text(why.getExpectedStart()));
        }
    }

    private @Nullable Long priority(JobStatus job, @Nullable Explanation why) {
        return ranking.priority(job.getJobId()).orElse(why == null ? null : why.getPriority());
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
