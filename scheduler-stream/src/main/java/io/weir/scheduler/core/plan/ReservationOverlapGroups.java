package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.JobAccess;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservedAmounts;
import io.weir.scheduler.core.reservation.ReservedNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a plan, parted by the reservations that lie on them. A view is drawn from the first one of its sort: only nodes
 * of reservations that say something else to its jobs are looked at anew.
 */
final class ReservationOverlapGroups {
    private final int nodes;
    private final ReservedAmounts amounts;
    private final List<ReservationOverlapGroup> groups;

    /** By place of a reservation, the numbers of the groups that it covers. */
    private final List<BitSet> covered = new ArrayList<>();

    /** The first view of jobs that need not stay inside reservations, and of jobs that have to. */
    private @Nullable Drawn free;

    private @Nullable Drawn confined;

    /** A view with what it was drawn from. */
    private record Drawn(JobAccess access, AccessView view) {}

    /** Parts all nodes. */
    ReservationOverlapGroups(ReservationAccess access, NodeTable nodes, ReservedAmounts amounts) {
        this.nodes = nodes.size();
        this.amounts = amounts;
        List<AdministrativeReservation> all = List.copyOf(access.reservations());
        SortedMap<Integer, List<Integer>> places = places(all, nodes);
        Map<List<Integer>, ReservationOverlapGroup> parted = new LinkedHashMap<>();
        all.forEach(reservation -> covered.add(new BitSet()));
        for (int position = 0; position < nodes.size(); position++) {
            List<Integer> there = places.getOrDefault(position, List.of());
            ReservationOverlapGroup group = parted.get(there);
            if (group == null) {
                group = new ReservationOverlapGroup(all, there);
                there.forEach(place -> covered.get(place).set(parted.size()));
                parted.put(there, group);
            }
            group.add(position);
        }
        groups = List.copyOf(parted.values());
    }

    /** Returns the places of the reservations on a node, by its position; none of nodes without any. */
    private static SortedMap<Integer, List<Integer>> places(List<AdministrativeReservation> all, NodeTable nodes) {
        SortedMap<Integer, List<Integer>> places = new TreeMap<>();
        for (int place = 0; place < all.size(); place++) {
            for (ReservedNode part : all.get(place).nodes()) {
                int position = nodes.position(part.nodeId());
                if (position >= 0) {
                    List<Integer> there = places.computeIfAbsent(position, first -> new ArrayList<>());
                    if (there.isEmpty() || there.get(there.size() - 1) != place) {
                        there.add(place);
                    }
                }
            }
        }
        return places;
    }

    /** Returns a new view that shows the nodes as jobs with {@code access} see them. */
    AccessView view(JobAccess access, NodeAvailabilityPlan availability) {
        Drawn first = access.confined() ? confined : free;
        if (first != null) {
            AccessView view = first.view().copy();
            BitSet other = differing(first.access(), access);
            other.stream().forEach(number -> groups.get(number).show(view, access, availability, amounts));
            return view;
        }
        AccessView view = new AccessView(nodes);
        groups.forEach(group -> group.show(view, access, availability, amounts));
        Drawn drawn = new Drawn(access, view);
        if (access.confined()) {
            confined = drawn;
        } else {
            free = drawn;
        }
        return view;
    }

    /** Returns the groups with a reservation that says something else to the jobs of one access than to those of another. */
    private BitSet differing(JobAccess one, JobAccess other) {
        BitSet differing = new BitSet();
        for (int place = 0; place < covered.size(); place++) {
            if (one.words().charAt(place) != other.words().charAt(place)) {
                differing.or(covered.get(place));
            }
        }
        return differing;
    }
}
