package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.ReservationType;
import io.weir.schemas.bound.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The system reservations of the failure service: pools of spares, and nodes kept for jobs that wait for them. */
public final class KeptNodes {
    private static final String POOL = "HOT_SPARE_";
    private static final String AWAITED = "NONSTOP_";

    private final ClusterState state;

    KeptNodes(ClusterState state) {
        this.state = state;
    }

    /** Returns whether a reservation is one of these. */
    public static boolean owns(AdministrativeReservation reservation) {
        return reservation.type() == ReservationType.SYSTEM
                && (reservation.id().startsWith(POOL) || reservation.id().startsWith(AWAITED));
    }

    static boolean isPool(AdministrativeReservation reservation) {
        return owns(reservation) && reservation.id().startsWith(POOL);
    }

    static String poolOf(String partition) {
        return POOL + partition;
    }

    /** Returns the reservation of the node that a job waits for. */
    static String awaitedBy(String jobId) {
        return AWAITED + jobId;
    }

    /** Returns the nodes of a reservation; none when there is no such one. */
    List<String> of(String id) {
        AdministrativeReservation known = state.administrativeReservations.get(id);
        return known == null ? List.of() : known.nodeIds();
    }

    /** Keeps exactly {@code nodes}; gives the reservation up when there are none. */
    void keep(String id, List<EffectiveNode> nodes, long start, long end, String comment) {
        AdministrativeReservation known = state.administrativeReservations.get(id);
        if (nodes.isEmpty()) {
            release(id);
            return;
        }
        List<ReservedNode> reserved = nodes.stream()
                .map(node -> new ReservedNode(
                        node.id(), 1, new Capacity(node.configured().procs(), 0, 0, 0)))
                .toList();
        if (known == null) {
            if (!state.administrativeReservations.isFullOfSystem() && id.length() <= Limit.NAME_LENGTH) {
                state.emit(AdministrativeReservation.made(
                        id,
                        ReservationType.SYSTEM,
                        new TermsEdit().comment(comment).done(),
                        start,
                        end,
                        reserved,
                        state.clock));
            }
        } else if (!known.nodes().equals(reserved) || known.end() != end) {
            state.emit(known.at(known.start(), end).on(reserved));
        }
    }

    /** Gives a reservation up. */
    void release(@Nullable String id) {
        AdministrativeReservation known = id == null ? null : state.administrativeReservations.get(id);
        if (known != null && owns(known)) {
            state.remove(known);
        }
    }

    /** Keeps no node any more in the place of {@code nodeId}, if that is what the job of {@code record} waits for. */
    void stopAwaiting(NonstopJob record, String nodeId) {
        PendingReplacement waits = record.pending();
        if (waits != null && waits.nodeId().equals(nodeId)) {
            release(awaitedBy(record.jobId()));
        }
    }

    /** Takes a node out of the pool it is in. */
    void take(String nodeId) {
        for (AdministrativeReservation reservation : List.copyOf(state.administrativeReservations.on(nodeId))) {
            if (isPool(reservation)) {
                List<ReservedNode> rest = reservation.nodes().stream()
                        .filter(node -> !node.nodeId().equals(nodeId))
                        .toList();
                if (rest.isEmpty()) {
                    state.remove(reservation);
                } else {
                    state.emit(reservation.on(rest));
                }
            }
        }
    }
}
