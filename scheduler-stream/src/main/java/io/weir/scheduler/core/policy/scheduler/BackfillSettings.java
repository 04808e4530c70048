package io.weir.scheduler.core.policy.scheduler;

/**
 * Backfill.
 *
 * @param policy BACKFILLPOLICY
 * @param metric BACKFILLMETRIC
 * @param depth BACKFILLDEPTH: jobs looked at after the first blocked one; 0 for all
 * @param chunkSeconds BFCHUNKDURATION; 0 for off
 * @param chunkProcs BFCHUNKSIZE
 */
public record BackfillSettings(
        BackfillPolicy policy, BackfillMetric metric, int depth, long chunkSeconds, int chunkProcs) {
    /** What an empty configuration uses. */
    public static final BackfillSettings DEFAULT =
            new BackfillSettings(BackfillPolicy.FIRSTFIT, BackfillMetric.PROCS, 0, 0, 0);
}
