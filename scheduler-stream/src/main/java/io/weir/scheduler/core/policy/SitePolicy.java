package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
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

    /** A policy and the settings it was made from. */
    public record Reading(SitePolicy policy, PolicySettings settings) {
        /** Returns what was found, in the order of the text. */
        public List<PolicyProblem> problems() {
            return settings.problems();
        }
    }

    /** Reads a configuration in Moab syntax; never fails, but reports. */
    public static Reading read(String text) {
        PolicySettings settings = PolicySettings.read(text);
        return new Reading(new PolicyReader(settings).policy(), settings);
    }

    /** Returns how many priority reservations may exist; 0 when the policies allow none. */
    public int depth() {
        return backfillPolicy == BackfillPolicy.NONE || reservationPolicy == ReservationPolicy.NEVER
                ? 0
                : reservationDepth;
    }
}
