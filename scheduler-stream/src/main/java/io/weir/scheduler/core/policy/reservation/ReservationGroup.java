package io.weir.scheduler.core.policy.reservation;

import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;

/**
 * Jobs that share a number of priority reservations: RESERVATIONDEPTH[x], RESERVATIONQOSLIST[x],
 * RESERVATIONRETRYTIME[x].
 *
 * @param name the index; {@value #DEFAULT_NAME} stands last
 * @param depth priority reservations at a time; {@link SitePolicy#UNLIMITED} for conservative backfill
 * @param qosList qualities of service it covers; ALL covers every job
 * @param retrySeconds how long resources stay reserved while a start is tried again
 */
public record ReservationGroup(String name, int depth, List<String> qosList, long retrySeconds) {
    /** Name of the group that takes what no other takes. */
    public static final String DEFAULT_NAME = "DEFAULT";

    /** Covers every quality of service. */
    public static final String ALL = "ALL";

    /** The built-in group. */
    public static final ReservationGroup DEFAULT = new ReservationGroup(DEFAULT_NAME, 1, List.of(ALL), 0);

    public ReservationGroup {
        qosList = List.copyOf(qosList);
    }

    /** Returns whether a job of {@code qos} (empty for none) belongs to it. */
    public boolean covers(String qos) {
        return qosList.contains(ALL) || qosList.contains(qos);
    }
}
