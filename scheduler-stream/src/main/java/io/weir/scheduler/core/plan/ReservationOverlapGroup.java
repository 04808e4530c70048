package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.JobAccess;
import io.weir.scheduler.core.reservation.ReservedAmounts;
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

    /** Creates a group of no nodes yet, which the reservations at {@code places} among {@code all} cover. */
    ReservationOverlapGroup(List<AdministrativeReservation> all, List<Integer> places) {
        this.reservations = places.stream().map(all::get).toList();
        this.places = places;
    }

    /** Adds the node at {@code position}. */
    void add(int position) {
        positions.set(position);
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
        positions.stream().forEach(position -> accessView.show(position, position));
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
