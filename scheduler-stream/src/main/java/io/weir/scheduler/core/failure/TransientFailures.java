package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.policy.node.TransientFailureSettings;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.control.ReservationManager;
import io.weir.scheduler.core.reservation.control.ReservationSink;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps new jobs from nodes that failed and are not down: each is reserved by the system as a whole for a while
 * (NODEFAILURERESERVETIME). A further failure moves the end; so does ill health that is still reported at the end. Which
 * nodes failed is told by their events, so that nothing is forgotten between a fact and the next iteration. Costs a look at
 * the nodes that changed and at the reservations that end. One iteration's use.
 */
public final class TransientFailures {
    private static final String PREFIX = "failure.";

    /** Group of these reservations, by which all of them can be released. */
    private static final String GROUP = "failure";

    private final ClusterState state;
    private final ReservationSink sink;
    private final long now;
    private final TransientFailureSettings settings;

    /** Nodes for which there was no reservation left, and the first of them. */
    private int unreserved;

    private @Nullable String firstUnreserved;

    public TransientFailures(ClusterState state, ReservationSink sink, long now) {
        this.state = state;
        this.sink = sink;
        this.now = now;
        settings = state.domain.policy.failures().passing();
    }

    /** Reserves the nodes that failed since the last iteration, before reservations that have ended are removed. */
    public void settle() {
        for (AdministrativeReservation reservation : List.copyOf(state.administrativeReservations.all())) {
            if (owns(reservation) && reservation.end() <= now) {
                prolong(reservation);
            }
        }
        for (String id : state.nodeChanges.toBePublished()) {
            state.work.on(QuarantineKind.NODE, id);
            EffectiveNode node = state.nodes.effective(id);
            if (node != null) {
                settle(node);
            }
        }
        state.work.onNothing();
        tellUnreserved();
    }

    private void settle(EffectiveNode node) {
        NodeEvent failure = node.node().eventHistory().events().get(Node.FAILURE_EVENT);
        if (failure == null || !failure.active()) {
            return;
        }
        boolean down = node.node().state() == NodeState.DOWN;
        if (!down) {
            state.objectEvents.raise(
                    "nodetransient",
                    "node",
                    node.id(),
                    "node " + node.id() + " failed for a moment: " + failure.text());
        }
        boolean reservable = settings.reserveSeconds() > 0
                && !down
                && node.configured().procs() > 0
                && !node.id().equals(EffectiveNode.GLOBAL);
        if (reservable) {
            reserve(node, settings.reserveSeconds(), failure.text());
        }
        state.emit(node.node().over(Node.FAILURE_EVENT));
    }

    /**
     * Reserves a node from now on, whatever its state, as if it had failed; one that is reserved stays so for longer, if at
     * all. A node that is not known, or has no processors, is left alone.
     *
     * @param seconds for how long, at least 1
     * @param why for people
     */
    public void reserve(String nodeId, long seconds, String why) {
        EffectiveNode node = state.nodes.effective(nodeId);
        if (node != null && node.configured().procs() > 0 && !nodeId.equals(EffectiveNode.GLOBAL)) {
            reserve(node, seconds, why);
            tellUnreserved();
        }
    }

    private void reserve(EffectiveNode node, long seconds, String why) {
        AdministrativeReservation known = on(node.id());
        if (known != null) {
            extend(known, now + seconds, why);
            return;
        }
        String id = PREFIX + node.id().substring(0, Math.min(node.id().length(), Limit.NAME_LENGTH / 2)) + "."
                + state.domain.reservations.next();
        boolean taken = state.administrativeReservations.get(id) != null || state.jobs.get(id) != null;
        if (state.administrativeReservations.isFullOfSystem() || taken) {
            unreserved++;
            if (firstUnreserved == null) {
                firstUnreserved = node.id();
            }
            return;
        }
        sink.put(AdministrativeReservation.made(
                id, ReservationType.SYSTEM, terms(node, why).done(), now, now + seconds, List.of(whole(node)), now));
        sink.notice(Severity.WARNING, "rsvcreate", id, "node " + node.id() + " is reserved after a failure: " + why);
    }

    /** When very many fail together, one notice is enough. */
    private void tellUnreserved() {
        String node = firstUnreserved;
        if (node == null) {
            return;
        }
        String more = unreserved == 1 ? "" : " and " + (unreserved - 1) + " more";
        state.domain.notice(
                Severity.WARNING,
                "rsvcreate",
                "node",
                node,
                "node " + node + more + " failed and cannot be reserved, as there are too many reservations of failed"
                        + " nodes");
        unreserved = 0;
        firstUnreserved = null;
    }

    private TermsEdit terms(EffectiveNode node, String why) {
        String name = settings.profile(node.node().connector());
        StandingConfig profile =
                name == null ? null : state.domain.policy.profiles().get(name);
        TermsEdit edit = profile == null
                ? new TermsEdit()
                : ReservationManager.termsOf(profile).profile(name);
        return edit.group(GROUP).comment(why);
    }

    /** Moves the end of a reservation whose node's ill health is still reported. */
    private void prolong(AdministrativeReservation reservation) {
        for (ReservedNode reserved : reservation.nodes()) {
            Node node = state.nodes.get(reserved.nodeId());
            String error = node == null ? null : node.error();
            if (error != null && settings.reserveSeconds() > 0) {
                extend(reservation, now + settings.reserveSeconds(), error);
            }
        }
    }

    private void extend(AdministrativeReservation reservation, long end, String why) {
        if (reservation.end() < end) {
            sink.put(reservation.at(reservation.start(), end));
            sink.notice(
                    Severity.INFO,
                    "rsvmodify",
                    reservation.id(),
                    "reservation " + reservation.id() + " is prolonged: " + why);
        }
    }

    private static ReservedNode whole(EffectiveNode node) {
        return new ReservedNode(node.id(), 1, new Capacity(node.configured().procs(), 0, 0, 0));
    }

    private @Nullable AdministrativeReservation on(String nodeId) {
        for (AdministrativeReservation reservation : state.administrativeReservations.on(nodeId)) {
            if (owns(reservation)) {
                return reservation;
            }
        }
        return null;
    }

    /** Returns whether a reservation is one of these. They are short, and Weir's own: resource managers do not show them. */
    public static boolean owns(AdministrativeReservation reservation) {
        return reservation.type() == ReservationType.SYSTEM && reservation.id().startsWith(PREFIX);
    }
}
