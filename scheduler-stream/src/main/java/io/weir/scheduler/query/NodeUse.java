package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What jobs and reservations have of each node of a cluster. */
final class NodeUse {
    private final Instant now;
    private final Map<String, List<Share<JobStatus>>> jobs = new HashMap<>();
    private final Map<String, List<Share<ReservationStatus>>> reservations = new HashMap<>();

    private NodeUse(Instant now) {
        this.now = now;
    }

    static NodeUse of(ClusterImage image, String cluster, Instant now) {
        NodeUse use = new NodeUse(now);
        for (JobStatus job : image.jobsOf(cluster)) {
            if (QueueListing.isActive(job)) {
                spread(job, job.getAllocation(), use.jobs);
            }
        }
        for (ReservationStatus reservation : image.reservationsOf(cluster)) {
            spread(reservation, reservation.getAllocation(), use.reservations);
        }
        return use;
    }

    /** Adds to a node's JSON what is held of it. */
    ObjectNode addTo(ObjectNode object, NodeStatus node) {
        List<Share<JobStatus>> here = jobs.getOrDefault(node.getNodeId(), List.of());
        int dedicated = here.stream().mapToInt(Share::procs).sum();
        object.put("now", now.toString())
                .put("stateSeconds", Duration.between(node.getStateSince(), now).toSeconds())
                .put("shownState", state(node, dedicated).name())
                .put("dedicatedProcs", dedicated)
                .put("freeProcs", Math.max(0, node.getProcs() - dedicated));
        ArrayNode jobList = object.putArray("jobs");
        for (Share<JobStatus> share : here) {
            JobStatus job = share.holder();
            jobList.addObject()
                    .put("jobId", job.getJobId())
                    .put("user", job.getUser())
                    .put("procs", share.procs())
                    .put("end", QueueListing.end(job, now).toString());
        }
        ArrayNode reservationList = object.putArray("reservations");
        for (Share<ReservationStatus> share : reservations.getOrDefault(node.getNodeId(), List.of())) {
            ReservationStatus reservation = share.holder();
            reservationList
                    .addObject()
                    .put("reservationId", reservation.getReservationId())
                    .put("type", reservation.getType().name())
                    .put("procs", share.procs())
                    .put("start", reservation.getStart().toString())
                    .put("end", reservation.getEnd().toString());
        }
        return object;
    }

    /** A resource manager need not tell nodes in use from idle ones. */
    private static NodeState state(NodeStatus node, int dedicated) {
        if (node.getState() != NodeState.IDLE || dedicated == 0) {
            return node.getState();
        }
        return dedicated < node.getProcs() ? NodeState.RUNNING : NodeState.BUSY;
    }

    private static <T> void spread(T holder, List<NodeAllocation> over, Map<String, List<Share<T>>> into) {
        for (NodeAllocation part : over) {
            into.computeIfAbsent(part.getNodeId(), node -> new ArrayList<>()).add(new Share<>(holder, part.getProcs()));
        }
    }

    private record Share<T>(T holder, int procs) {}
}
