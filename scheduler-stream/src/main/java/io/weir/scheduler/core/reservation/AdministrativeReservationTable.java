package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.ReservationType;
import io.weir.schemas.bound.Limit;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reservations in force that are no job's, by id and by node. Owned by the core's thread. */
public final class AdministrativeReservationTable {
    private final SortedMap<String, AdministrativeReservation> reservations = new TreeMap<>();

    /** What lies on a node, by reservation id: the reservations, and what they set aside there. */
    private record OnNode(
            SortedMap<String, AdministrativeReservation> reservations, SortedMap<String, ReservedNode> parts) {
        OnNode() {
            this(new TreeMap<>(), new TreeMap<>());
        }
    }

    /** By node id; never iterated. */
    private final Map<String, OnNode> byNode = new LinkedHashMap<>();

    /** How many Weir made by itself. */
    private int system;

    private long version;
    private long placements;

    /** Returns the reservation with {@code id}; null when there is none. */
    public @Nullable AdministrativeReservation get(String id) {
        return reservations.get(id);
    }

    /** Returns whether there are as many of operators, users and standing reservations as there may be. */
    public boolean isFull() {
        return reservations.size() - system >= Limit.RESERVATIONS;
    }

    /** Returns whether there are as many that Weir made by itself as there may be: a failure of many nodes makes many. */
    public boolean isFullOfSystem() {
        return system >= Limit.SYSTEM_RESERVATIONS;
    }

    /** Puts a version in force. */
    public void put(AdministrativeReservation reservation) {
        AdministrativeReservation old = reservations.get(reservation.id());
        take(reservation.id());
        reservations.put(reservation.id(), reservation);
        system += isSystem(reservation) ? 1 : 0;
        for (ReservedNode node : reservation.nodes()) {
            OnNode there = byNode.computeIfAbsent(node.nodeId(), id -> new OnNode());
            there.reservations().put(reservation.id(), reservation);
            there.parts().putIfAbsent(reservation.id(), node);
        }
        if (old == null || !old.terms().equals(reservation.terms())) {
            version++;
        }
        if (old == null || !old.reservesAs(reservation)) {
            placements++;
        }
    }

    /** Removes the reservation with {@code id}. */
    public void remove(String id) {
        if (reservations.containsKey(id)) {
            version++;
            placements++;
        }
        take(id);
    }

    private void take(String id) {
        AdministrativeReservation old = reservations.remove(id);
        if (old == null) {
            return;
        }
        system -= isSystem(old) ? 1 : 0;
        for (ReservedNode node : old.nodes()) {
            OnNode there = byNode.get(node.nodeId());
            if (there != null) {
                there.reservations().remove(id);
                there.parts().remove(id);
                if (there.parts().isEmpty()) {
                    byNode.remove(node.nodeId());
                }
            }
        }
    }

    private static boolean isSystem(AdministrativeReservation reservation) {
        return reservation.type() == ReservationType.SYSTEM;
    }

    /** Returns all reservations, sorted by id. */
    public Collection<AdministrativeReservation> all() {
        return reservations.isEmpty() ? List.of() : Collections.unmodifiableCollection(reservations.values());
    }

    /** Returns the reservations on {@code nodeId}, sorted by id. */
    public Collection<AdministrativeReservation> on(String nodeId) {
        OnNode there = byNode.get(nodeId);
        return there == null
                ? List.of()
                : Collections.unmodifiableCollection(there.reservations().values());
    }

    /** Returns the reservations on the nodes of {@code shares}, sorted by id. */
    public List<AdministrativeReservation> on(List<NodeShare> shares) {
        SortedMap<String, AdministrativeReservation> there = new TreeMap<>();
        for (NodeShare share : shares) {
            on(share.nodeId()).forEach(reservation -> there.put(reservation.id(), reservation));
        }
        return List.copyOf(there.values());
    }

    /** Returns what {@code reservation} sets aside on {@code nodeId}; null for nothing. */
    public @Nullable ReservedNode on(String nodeId, AdministrativeReservation reservation) {
        OnNode there = byNode.get(nodeId);
        return there == null ? null : there.parts().get(reservation.id());
    }

    /** Returns whether there is none. */
    public boolean isEmpty() {
        return reservations.isEmpty();
    }

    /** Returns a number that changes when one comes, goes, or changes its terms. */
    public long version() {
        return version;
    }

    /** Returns a number that changes when one comes, goes, or changes its terms, time or nodes. */
    public long placements() {
        return placements;
    }

    /** Returns the first start or end after {@code now}, or {@link TimeArgument#FOREVER}. */
    public long nextBoundary(long now) {
        long next = TimeArgument.FOREVER;
        for (AdministrativeReservation reservation : reservations.values()) {
            if (reservation.start() > now) {
                next = Math.min(next, reservation.start());
            } else if (reservation.end() > now) {
                next = Math.min(next, reservation.end());
            }
        }
        return next;
    }
}
