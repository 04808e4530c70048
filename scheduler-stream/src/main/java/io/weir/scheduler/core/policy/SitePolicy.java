package io.weir.scheduler.core.policy;

import java.util.List;

/**
 * What the site's configuration says, with defaults filled in. Intervals are in seconds.
 *
 * @param reservationDepth priority reservations at a time; {@link #UNLIMITED} for conservative backfill
 * @param reservationPolicy what becomes of them from one iteration to the next
 * @param backfillPolicy who may start before a waiting job
 * @param nodeOrder which nodes a job gets
 * @param mode whether decisions are carried out
 * @param jobPurgeSeconds how long finished jobs stay visible
 * @param jobRetrySeconds how long a job waits after its first refused start
 * @param deferSeconds how long it waits once it was refused too often
 * @param deferStartCount refused starts after which it is deferred
 */
public record SitePolicy(
        int reservationDepth,
        ReservationPolicy reservationPolicy,
        BackfillPolicy backfillPolicy,
        NodeOrder nodeOrder,
        Mode mode,
        long jobPurgeSeconds,
        long jobRetrySeconds,
        long deferSeconds,
        int deferStartCount) {
    /** Depth of conservative backfill. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Policy of an empty configuration. */
    public static final SitePolicy DEFAULT = new SitePolicy(
            1,
            ReservationPolicy.CURRENTHIGHEST,
            BackfillPolicy.FIRSTFIT,
            NodeOrder.LASTAVAILABLE,
            Mode.NORMAL,
            300,
            60,
            3600,
            1);

    /** A policy and what was wrong with the text it was read from. */
    public record Reading(SitePolicy policy, List<PolicyProblem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /** Reads a configuration in Moab syntax; never fails, but reports. */
    public static Reading read(String text) {
        return new PolicyReader().read(text);
    }

    /** Returns how many priority reservations may exist; 0 when the policies allow none. */
    public int depth() {
        return backfillPolicy == BackfillPolicy.NONE || reservationPolicy == ReservationPolicy.NEVER
                ? 0
                : reservationDepth;
    }
}
