package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.ReservationType;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is said of a node on which a start was refused, by which it is known because of whose job the node is reserved. */
final class RefusedStart {
    private static final String BEGIN = "start of job ";

    private RefusedStart() {}

    static String text(String jobId, @Nullable String user, @Nullable String message) {
        return BEGIN + jobId + by(user) + (message == null ? "" : ": " + message);
    }

    private static String by(@Nullable String user) {
        return (user == null ? "" : " of " + user) + " refused";
    }

    /**
     * Returns whether other nodes than those of {@code job} are reserved, or about to be, because starts of {@code user} were
     * refused.
     */
    static boolean keepsNodes(ClusterState state, @Nullable String user, Job job) {
        TreeSet<String> own = new TreeSet<>();
        for (NodeAllocation node : job.allocation()) {
            own.add(node.getNodeId());
        }
        for (AdministrativeReservation reservation : state.administrativeReservations.all()) {
            boolean others = !own.containsAll(reservation.nodeIds());
            if (others
                    && reservation.type() == ReservationType.SYSTEM
                    && isOf(reservation.terms().comment(), user)) {
                return true;
            }
        }
        for (String id : state.nodeChanges.unpublished()) {
            Node node = state.nodes.get(id);
            NodeEvent failure =
                    node == null ? null : node.eventHistory().events().get(Node.FAILURE_EVENT);
            if (failure != null && failure.active() && !own.contains(id) && isOf(failure.text(), user)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether {@code text} tells of a job of {@code user}. Job ids have no blanks. */
    private static boolean isOf(@Nullable String text, @Nullable String user) {
        if (text == null || !text.startsWith(BEGIN)) {
            return false;
        }
        int end = text.indexOf(' ', BEGIN.length());
        return end > 0 && text.startsWith(by(user), end);
    }
}
