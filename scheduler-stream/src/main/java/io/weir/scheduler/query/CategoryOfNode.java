package io.weir.scheduler.query;

import io.weir.scheduler.core.policy.language.NodeCategory;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The category a node is in, and what puts it there. What people said comes first: the subtype of a reservation that is
 * active, then a category given by the resource manager or an operator. After that a node that is down is failed, one with
 * jobs is active, and what reservations are active says what kind it is kept for.
 *
 * @param category the category
 * @param source what it follows from, for people
 */
record CategoryOfNode(NodeCategory category, String source) {
    private static final Comparator<ReservationStatus> EARLIEST =
            Comparator.comparing(ReservationStatus::getStart).thenComparing(ReservationStatus::getReservationId);

    /** Returns the category of {@code node}, which jobs run on if {@code busy} and {@code reservations} lie on. */
    static CategoryOfNode of(NodeStatus node, boolean busy, List<ReservationStatus> reservations, Instant now) {
        List<ReservationStatus> active = reservations.stream()
                .filter(reservation -> !reservation.getStart().isAfter(now)
                        && reservation.getEnd().isAfter(now))
                .sorted(EARLIEST)
                .toList();
        CategoryOfNode told = first(active, CategoryOfNode::subtype, "subtype of reservation ");
        if (told != null) {
            return told;
        }
        String given = node.getCategory();
        NodeCategory explicit = given == null ? null : NodeCategory.of(given);
        if (explicit != null) {
            boolean marked =
                    node.getMarks().stream().anyMatch(mark -> mark.getName().equals("category"));
            return new CategoryOfNode(explicit, marked ? "set by an operator" : "reported by the resource manager");
        }
        if (node.getState() == NodeState.DOWN) {
            String reason = node.getReason();
            return new CategoryOfNode(NodeCategory.OTHER_FAILURE, "down" + (reason == null ? "" : ": " + reason));
        }
        boolean healthy = isHealthy(node);
        if (healthy && busy) {
            return new CategoryOfNode(NodeCategory.ACTIVE, "jobs run on it");
        }
        CategoryOfNode reserved = first(active, CategoryOfNode::kind, "reservation ");
        if (healthy && reserved != null) {
            return reserved;
        }
        return healthy && active.isEmpty()
                ? new CategoryOfNode(NodeCategory.IDLE, "nothing runs on it")
                : new CategoryOfNode(NodeCategory.OTHER, "state " + node.getState());
    }

    private interface Kind {
        @Nullable
        NodeCategory of(ReservationStatus reservation);
    }

    /** Returns the first category in order that some reservation stands for; of several, the earliest's. */
    private static @Nullable CategoryOfNode first(List<ReservationStatus> reservations, Kind kind, String source) {
        CategoryOfNode first = null;
        for (ReservationStatus reservation : reservations) {
            NodeCategory category = kind.of(reservation);
            if (category != null && (first == null || category.compareTo(first.category()) < 0)) {
                String comment = reservation.getComment();
                first = new CategoryOfNode(
                        category, source + reservation.getReservationId() + (comment == null ? "" : ": " + comment));
            }
        }
        return first;
    }

    private static @Nullable NodeCategory subtype(ReservationStatus reservation) {
        String subtype = reservation.getSubtype();
        return subtype == null ? null : NodeCategory.of(subtype);
    }

    /** Returns what kind of reservation it is; null for none that a category stands for. */
    private static @Nullable NodeCategory kind(ReservationStatus reservation) {
        if (reservation.getType() == ReservationType.PRIORITY || reservation.getType() == ReservationType.DEADLINE) {
            return NodeCategory.JOB_RESERVATION;
        }
        if (reservation.getType() == ReservationType.STANDING) {
            return NodeCategory.STANDING_RESERVATION;
        }
        List<String> acl = reservation.getAcl();
        String owner = reservation.getOwner();
        boolean own = owner != null
                && owner.startsWith("USER:")
                && acl.size() == 1
                && acl.get(0).startsWith("USER==" + owner.substring("USER:".length()));
        if (own) {
            return NodeCategory.PERSONAL_RESERVATION;
        }
        boolean people = acl.stream().anyMatch(entry -> entry.startsWith("USER") || entry.startsWith("GROUP"));
        return people ? NodeCategory.USER_RESERVATION : null;
    }

    private static boolean isHealthy(NodeStatus node) {
        boolean up = switch (node.getState()) {
            case IDLE, RUNNING, BUSY -> true;
            default -> false;
        };
        return up && !node.getFailing() && node.getPoweredOn();
    }
}
