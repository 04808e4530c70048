package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.JobAccess;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservedAmounts;
import io.weir.scheduler.core.reservation.ReservedNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Nodes covered by the same administrative reservations. Jobs with the same access to these reservations share one copy of
 * each node's timeline, whatever other reservations there are.
 */
final class ReservationOverlapGroup {
    private final List<AdministrativeReservation> reservations;

    /** The places of the reservations among all. */
    private final List<Integer> places;

    private final BitSet positions = new BitSet();

    /** The first view for each answer of the reservations; later ones copy what it shows. */
    private final SortedMap<String, AccessView> views = new TreeMap<>();

    private ReservationOverlapGroup(List<AdministrativeReservation> reservations, List<Integer> places) {
        this.reservations = reservations;
        this.places = places;
    }

    /** Parts all nodes by the reservations that lie on them. */
    static List<ReservationOverlapGroup> of(ReservationAccess access, NodeTable nodes) {
        List<ReservationOverlapGroup> groups = new ArrayList<>();
        groups.add(new ReservationOverlapGroup(List.of(), List.of()));
        int[] group = new int[nodes.size()];
        int place = 0;
        for (AdministrativeReservation reservation : access.reservations()) {
            int before = groups.size();
            SortedMap<Integer, Integer> moves = new TreeMap<>();
            for (ReservedNode part : reservation.nodes()) {
                int position = nodes.position(part.nodeId());
                if (position >= 0 && group[position] < before) {
                    Integer to = moves.putIfAbsent(group[position], groups.size());
                    if (to == null) {
                        to = groups.size();
                        groups.add(groups.get(group[position]).with(reservation, place));
                    }
                    group[position] = to;
                }
            }
            place++;
        }
        for (int position = 0; position < group.length; position++) {
            groups.get(group[position]).positions.set(position);
        }
        return groups;
    }

    private ReservationOverlapGroup with(AdministrativeReservation reservation, int place) {
        List<AdministrativeReservation> more = new ArrayList<>(reservations);
        more.add(reservation);
        List<Integer> morePlaces = new ArrayList<>(places);
        morePlaces.add(place);
        return new ReservationOverlapGroup(more, morePlaces);
    }

    /** Makes {@code accessView} show these nodes as jobs with {@code access} see them. */
    void show(AccessView accessView, JobAccess access, NodeAvailabilityPlan availability, ReservedAmounts amounts) {
        List<AdministrativeReservation> closed = new ArrayList<>();
        List<AdministrativeReservation> inside = new ArrayList<>();
        StringBuilder words = new StringBuilder(access.confined() ? "in:" : "");
        for (int i = 0; i < reservations.size(); i++) {
            int place = places.get(i);
            words.append(access.words().charAt(place));
            if (!access.allowed(place)) {
                closed.add(reservations.get(i));
            } else if (access.within(place)) {
                inside.add(reservations.get(i));
            }
        }
        if (closed.isEmpty() && !access.confined()) {
            return;
        }
        AccessView known = views.putIfAbsent(words.toString(), accessView);
        for (int position = positions.nextSetBit(0); position >= 0; position = positions.nextSetBit(position + 1)) {
            if (known != null) {
                accessView.showAs(known, position);
            } else {
                long now = availability.start();
                availability.keep(accessView, position, amounts.blocks(position, now, closed, null), true);
                List<AdministrativeReservation> own = access.confined() ? inside : null;
                availability.keep(accessView, position, amounts.blocks(position, now, List.of(), own), false);
            }
        }
    }
}
