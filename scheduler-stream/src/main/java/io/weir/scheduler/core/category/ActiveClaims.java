package io.weir.scheduler.core.category;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What active reservations say of the categories of nodes, kept from one iteration to the next so that only nodes are looked
 * at again whose reservations began, ended or changed. Owned by the core's thread.
 */
public final class ActiveClaims {
    private final AdministrativeReservationTable administrative;
    private final ReservationTable ofJobs;

    /** Active reservations that are no job's, by id, with their claims. */
    private final SortedMap<String, Active> active = new TreeMap<>();

    /** Active reservations of waiting jobs, by job. */
    private final SortedMap<String, Reservation> activeOfJobs = new TreeMap<>();

    /** Their claims by node and job; never iterated. */
    private final Map<String, SortedMap<String, ReservationClaim>> byNode = new LinkedHashMap<>();

    private record Active(AdministrativeReservation reservation, ReservationClaim claim) {}

    /** Creates the claims of the reservations in two tables. */
    public ActiveClaims(AdministrativeReservationTable administrative, ReservationTable ofJobs) {
        this.administrative = administrative;
        this.ofJobs = ofJobs;
    }

    /** Goes on to {@code now}; {@code touched} takes the nodes whose claims changed, some perhaps twice. */
    public void advance(long now, Consumer<String> touched) {
        for (Active before : List.copyOf(active.values())) {
            AdministrativeReservation next =
                    administrative.get(before.reservation().id());
            if (next == null || !isActive(next, now) || !next.reservesAs(before.reservation())) {
                active.remove(before.reservation().id());
                before.reservation().nodes().forEach(node -> touched.accept(node.nodeId()));
            }
        }
        for (AdministrativeReservation reservation : administrative.all()) {
            if (isActive(reservation, now) && !active.containsKey(reservation.id())) {
                active.put(reservation.id(), new Active(reservation, ReservationClaim.of(reservation)));
                reservation.nodes().forEach(node -> touched.accept(node.nodeId()));
            }
        }
        for (Reservation before : List.copyOf(activeOfJobs.values())) {
            Reservation next = ofJobs.get(before.jobId());
            if (next == null || !isActive(next, now) || !claimsAs(next, before)) {
                activeOfJobs.remove(before.jobId());
                nodes(before).forEach(node -> {
                    unclaim(node, before.jobId());
                    touched.accept(node);
                });
            }
        }
        for (Reservation reservation : ofJobs.all()) {
            if (isActive(reservation, now) && !activeOfJobs.containsKey(reservation.jobId())) {
                activeOfJobs.put(reservation.jobId(), reservation);
                ReservationClaim claim = ReservationClaim.of(reservation);
                nodes(reservation).forEach(node -> {
                    byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(reservation.jobId(), claim);
                    touched.accept(node);
                });
            }
        }
    }

    private static boolean claimsAs(Reservation next, Reservation before) {
        return next.id().equals(before.id()) && next.sameAs(before);
    }

    private void unclaim(String node, String job) {
        SortedMap<String, ReservationClaim> claims = byNode.get(node);
        if (claims != null) {
            claims.remove(job);
            if (claims.isEmpty()) {
                byNode.remove(node);
            }
        }
    }

    private static SortedSet<String> nodes(Reservation reservation) {
        SortedSet<String> nodes = new TreeSet<>();
        for (TaskPlacement placement : reservation.placements()) {
            nodes.add(placement.getNodeId());
        }
        return nodes;
    }

    private static boolean isActive(AdministrativeReservation reservation, long now) {
        return reservation.overlaps(now, now + 1);
    }

    private static boolean isActive(Reservation reservation, long now) {
        return reservation.start() <= now && now < reservation.end();
    }

    /** Returns the claims on {@code node} as of the last {@link #advance}. */
    public List<ReservationClaim> on(String node) {
        List<ReservationClaim> claims = new ArrayList<>();
        for (AdministrativeReservation reservation : administrative.on(node)) {
            Active known = active.get(reservation.id());
            if (known != null) {
                claims.add(known.claim());
            }
        }
        SortedMap<String, ReservationClaim> ofWaiting = byNode.get(node);
        if (ofWaiting != null) {
            claims.addAll(ofWaiting.values());
        }
        return claims;
    }

    /** Returns the claims on {@code node} at {@code now}, found by a look at every reservation of a job. */
    public static List<ReservationClaim> at(
            long now, String node, AdministrativeReservationTable administrative, ReservationTable ofJobs) {
        List<ReservationClaim> claims = new ArrayList<>();
        for (AdministrativeReservation reservation : administrative.on(node)) {
            if (isActive(reservation, now)) {
                claims.add(ReservationClaim.of(reservation));
            }
        }
        for (Reservation reservation : ofJobs.all()) {
            if (isActive(reservation, now) && nodes(reservation).contains(node)) {
                claims.add(ReservationClaim.of(reservation));
            }
        }
        return claims;
    }

    /** Forgets what was active: nobody looks. */
    public void forget() {
        active.clear();
        activeOfJobs.clear();
        byNode.clear();
    }
}
