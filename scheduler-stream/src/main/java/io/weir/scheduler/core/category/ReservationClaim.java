package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.acl.Affinity;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reservation says of the category of the nodes it lies on while it is active.
 *
 * @param id id of the reservation
 * @param start its start, epoch seconds
 * @param subtype category that it was explicitly given; null for none
 * @param kind category that its kind stands for; null for none
 * @param comment note on it; null for none
 */
public record ReservationClaim(
        String id,
        long start,
        @Nullable NodeCategory subtype,
        @Nullable NodeCategory kind,
        @Nullable String comment) {
    /** The one that started earliest first, then by id. */
    static final Comparator<ReservationClaim> EARLIEST =
            Comparator.comparingLong(ReservationClaim::start).thenComparing(ReservationClaim::id);

    /** Returns the claim of a reservation that is no job's. */
    public static ReservationClaim of(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        return of(
                reservation.id(),
                reservation.start(),
                terms.subtype(),
                kind(reservation.type(), terms.owner(), terms.acl().canonical()),
                terms.comment());
    }

    /** Returns the claim of a reservation for a job. */
    public static ReservationClaim of(Reservation reservation) {
        return of(reservation.id(), reservation.start(), null, NodeCategory.JOB_RESERVATION, null);
    }

    /** Returns the claim of a reservation as it was published. */
    public static ReservationClaim of(ReservationStatus reservation) {
        return of(
                reservation.getReservationId(),
                reservation.getStart().getEpochSecond(),
                reservation.getSubtype(),
                kind(reservation.getType(), reservation.getOwner(), reservation.getAcl()),
                reservation.getComment());
    }

    private static ReservationClaim of(
            String id, long start, @Nullable String subtype, @Nullable NodeCategory kind, @Nullable String comment) {
        return new ReservationClaim(id, start, subtype == null ? null : NodeCategory.of(subtype), kind, comment);
    }

    private static @Nullable NodeCategory kind(ReservationType type, @Nullable String owner, List<String> acl) {
        if (type == ReservationType.PRIORITY || type == ReservationType.DEADLINE) {
            return NodeCategory.JOB_RESERVATION;
        }
        if (type == ReservationType.STANDING) {
            return NodeCategory.STANDING_RESERVATION;
        }
        if (owner != null && owner.startsWith("USER:") && isFor(owner.substring("USER:".length()), acl)) {
            return NodeCategory.PERSONAL_RESERVATION;
        }
        boolean people = acl.stream().anyMatch(entry -> entry.startsWith("USER") || entry.startsWith("GROUP"));
        return people ? NodeCategory.USER_RESERVATION : null;
    }

    /** Returns whether {@code acl}, an access list in its canonical form, admits {@code user} and nobody else. */
    private static boolean isFor(String user, List<String> acl) {
        String entry = "USER==" + user;
        return acl.size() == 1
                && (acl.get(0).equals(entry)
                        || Arrays.stream(Affinity.values())
                                .anyMatch(affinity -> acl.get(0).equals(entry + affinity.sign())));
    }

    String described() {
        return "reservation " + id + (comment == null ? "" : ": " + comment);
    }
}
