package io.weir.scheduler.core.policy.reservation;

import java.util.List;

/**
 * Reservations.
 *
 * @param policy RESERVATIONPOLICY
 * @param groups reservation groups in configuration order, DEFAULT last
 * @param slice RESERVATIONSLICE; 0 for no limit
 * @param reallocation RSVREALLOCPOLICY
 * @param anyoneMayReserve RSVCTLPOLICY ANY
 * @param subtypeRequired FORCERSVSUBTYPE
 */
public record ReservationSettings(
        ReservationPolicy policy,
        List<ReservationGroup> groups,
        int slice,
        ReallocationPolicy reallocation,
        boolean anyoneMayReserve,
        boolean subtypeRequired) {
    /** RESERVATIONSLICE where nothing is said. */
    private static final int STANDARD_SLICE = 100;

    /** What an empty configuration uses. */
    public static final ReservationSettings DEFAULT = new ReservationSettings(
            ReservationPolicy.CURRENTHIGHEST,
            List.of(ReservationGroup.DEFAULT),
            STANDARD_SLICE,
            ReallocationPolicy.NEVER,
            false,
            false);

    public ReservationSettings {
        groups = List.copyOf(groups);
    }

    /** Returns how long the resources of a job of {@code qos} stay reserved while its start is tried again, seconds. */
    public long retrySeconds(String qos) {
        for (ReservationGroup group : groups) {
            if (group.covers(qos)) {
                return group.retrySeconds();
            }
        }
        for (ReservationGroup group : groups) {
            if (group.name().equals(ReservationGroup.DEFAULT_NAME)) {
                return group.retrySeconds();
            }
        }
        return 0;
    }
}
