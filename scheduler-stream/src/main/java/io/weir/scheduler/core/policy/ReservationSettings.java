package io.weir.scheduler.core.policy;

import java.util.List;

/**
 * Reservations.
 *
 * @param policy RESERVATIONPOLICY
 * @param groups reservation groups in configuration order, DEFAULT last
 * @param reallocation RSVREALLOCPOLICY
 * @param anyoneMayReserve RSVCTLPOLICY ANY
 */
public record ReservationSettings(
        ReservationPolicy policy,
        List<ReservationGroup> groups,
        ReallocationPolicy reallocation,
        boolean anyoneMayReserve) {
    /** What an empty configuration uses. */
    public static final ReservationSettings DEFAULT = new ReservationSettings(
            ReservationPolicy.CURRENTHIGHEST, List.of(ReservationGroup.DEFAULT), ReallocationPolicy.NEVER, false);

    public ReservationSettings {
        groups = List.copyOf(groups);
    }
}
