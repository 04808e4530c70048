package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CategoryClass;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes that are down or drained under a reservation for maintenance, or one that admits nobody: they are expected
 * back when it ends, in place of what NODEDOWNSTATEDELAYTIME and NODEDRAINSTATEDELAYTIME say. Where there are several the
 * last end counts; one without end says nothing. Costs a look at the nodes of such reservations, while any node is out of
 * service. One iteration's use.
 */
public final class KeptForRepair {
    private final ClusterState state;
    private final long now;

    public KeptForRepair(ClusterState state, long now) {
        this.state = state;
        this.now = now;
    }

    /** Lets plans expect these nodes back when their reservations end. */
    public void settle() {
        if (state.nodes.keep(until())) {
            state.planner.invalidate();
        }
    }

    private SortedMap<String, Long> until() {
        if (state.nodes.sums().unplannable() == 0 || state.administrativeReservations.isEmpty()) {
            return Collections.emptySortedMap();
        }
        SortedMap<String, Long> until = new TreeMap<>();
        for (AdministrativeReservation reservation : state.administrativeReservations.all()) {
            if (keeps(reservation)) {
                add(reservation, until);
            }
        }
        return until;
    }

    private boolean keeps(AdministrativeReservation reservation) {
        boolean inForce =
                reservation.start() <= now && now < reservation.end() && reservation.end() < TimeArgument.FOREVER;
        return inForce
                && switch (reservation.type()) {
                    case ADMINISTRATIVE, STANDING ->
                        reservation.terms().acl().isEmpty()
                                || isMaintenance(reservation.terms().subtype());
                    case SYSTEM, PRIORITY, DEADLINE, UNKNOWN -> false;
                };
    }

    private static boolean isMaintenance(@Nullable String subtype) {
        NodeCategory category = subtype == null ? null : NodeCategory.of(subtype);
        return category != null && category.categoryClass() == CategoryClass.MAINTENANCE;
    }

    private void add(AdministrativeReservation reservation, SortedMap<String, Long> until) {
        for (ReservedNode reserved : reservation.nodes()) {
            Node node = state.nodes.get(reserved.nodeId());
            if (node != null && EffectiveNode.mayBeAwaited(node)) {
                until.merge(node.id(), reservation.end(), Math::max);
            }
        }
    }
}
