package io.weir.scheduler.core.policy.job;

/**
 * Fairshare.
 *
 * @param enabled FSPOLICY DEDICATEDPS
 * @param intervalSeconds FSINTERVAL
 * @param depth FSDEPTH, windows looked back
 * @param decay FSDECAY, factor per window of age
 */
public record FairshareSettings(boolean enabled, long intervalSeconds, int depth, double decay) {
    /** What an empty configuration uses. */
    public static final FairshareSettings DEFAULT = new FairshareSettings(false, 86_400, 7, 1.0);
}
