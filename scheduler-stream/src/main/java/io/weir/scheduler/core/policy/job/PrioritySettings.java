package io.weir.scheduler.core.policy.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Job priority. Caps of 0 mean none.
 *
 * @param weights weights that differ from their default
 * @param queueTimeCap QUEUETIMECAP, minutes times weight
 * @param xfactorCap XFACTORCAP
 * @param userCap USERPRIOCAP
 * @param resourceCap RESCAP
 * @param fairshareCap FSCAP
 * @param xfactorLeastSeconds XFMINWCLIMIT; 0 for none
 * @param accrual JOBPRIOACCRUALPOLICY
 * @param negative ENABLENEGJOBPRIORITY
 */
public record PrioritySettings(
        SortedMap<PriorityWeight, Long> weights,
        double queueTimeCap,
        double xfactorCap,
        double userCap,
        double resourceCap,
        double fairshareCap,
        long xfactorLeastSeconds,
        AccrualPolicy accrual,
        boolean negative) {
    /** What an empty configuration uses. */
    public static final PrioritySettings DEFAULT =
            new PrioritySettings(Collections.emptySortedMap(), 0, 0, 0, 0, 0, 0, AccrualPolicy.QUEUEPOLICY, false);

    public PrioritySettings {
        weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    }

    /** Returns the weight in force. */
    public long weight(PriorityWeight weight) {
        Long value = weights.get(weight);
        return value == null ? weight.byDefault() : value;
    }
}
