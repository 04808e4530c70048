package io.weir.command.queue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.JobStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link QueueListing} as JSON: instants in ISO 8601, spans in seconds. */
public final class QueueJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private QueueJson() {}

    /** Returns the listing as an object. */
    public static ObjectNode of(QueueListing queue) {
        ObjectNode root = NODES.objectNode()
                .put("cluster", queue.cluster())
                .put("now", queue.now().toString())
                .put("procsInUse", queue.procsInUse())
                .put("procs", queue.procs())
                .put("nodesInUse", queue.nodesInUse())
                .put("nodes", queue.nodes());
        root.set("active", jobs(queue, queue.active(), true));
        root.set("eligible", jobs(queue, queue.eligible(), false));
        root.set("blocked", jobs(queue, queue.blocked(), false));
        return root;
    }

    private static ArrayNode jobs(QueueListing queue, List<JobStatus> jobs, boolean running) {
        ArrayNode array = NODES.arrayNode();
        for (JobStatus job : jobs) {
            ObjectNode node = array.addObject()
                    .put("jobId", job.getJobId())
                    .put("user", job.getUser())
                    .put("state", job.getState().name())
                    .put("procs", QueueListing.procs(job))
                    .put("walltimeSeconds", job.getWalltimeSeconds())
                    .put("submitTime", job.getSubmitTime().toString());
            if (running) {
                node.put("startTime", text(job.getStartTime()));
                node.put("remainingSeconds", queue.remaining(job).toSeconds());
            } else {
                node.put("notBefore", text(job.getNotBefore())).put("reason", job.getReason());
            }
        }
        return array;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
