package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Keeps reservations of whole nodes at the size of these: who reserves a node means all of it, also when it turns out to be
 * larger, as one that was down may. A node that has lost its last processor keeps what was set aside.
 */
final class NodeSizes {
    private final NodeTable nodes;
    private final AdministrativeReservationTable reservations;
    private final ReservationSink sink;
    private final UsageMeter meter;
    private final long now;
    private final CurrentWork work;

    NodeSizes(
            NodeTable nodes,
            AdministrativeReservationTable reservations,
            ReservationSink sink,
            UsageMeter meter,
            long now,
            CurrentWork work) {
        this.nodes = nodes;
        this.reservations = reservations;
        this.sink = sink;
        this.meter = meter;
        this.now = now;
        this.work = work;
    }

    /** Looks at the reservations of nodes that may have changed. */
    void follow(Iterable<String> changed) {
        SortedSet<String> affected = new TreeSet<>();
        for (String id : changed) {
            for (AdministrativeReservation reservation : reservations.on(id)) {
                ReservedNode reserved = reservations.on(id, reservation);
                if (reserved != null && !resized(reservation, reserved).equals(reserved)) {
                    affected.add(reservation.id());
                }
            }
        }
        for (String id : affected) {
            work.on(QuarantineKind.RESERVATION, id);
            AdministrativeReservation reservation = reservations.get(id);
            if (reservation != null) {
                resize(reservation);
            }
        }
        work.onNothing();
    }

    private void resize(AdministrativeReservation reservation) {
        List<ReservedNode> resized = reservation.nodes().stream()
                .map(node -> resized(reservation, node))
                .toList();
        AdministrativeReservation next = meter.upTo(reservation, now).on(resized);
        sink.put(next);
        sink.notice(
                Severity.INFO,
                "rsvmodify",
                next.id(),
                "reservation " + next.id() + ": its nodes have changed in size, from " + reservation.procs() + " to "
                        + next.procs() + " processors");
    }

    private ReservedNode resized(AdministrativeReservation reservation, ReservedNode reserved) {
        EffectiveNode node = nodes.effective(reserved.nodeId());
        boolean whole = reservation.terms().task() == null;
        return whole && node != null && node.configured().procs() > 0
                ? ReservationNodeSelector.reserved(reservation.terms(), node, reserved.tasks())
                : reserved;
    }
}
