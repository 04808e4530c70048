package io.weir.scheduler.core.policy.job;

/**
 * FSTARGET.
 *
 * @param percent share of use aimed at
 * @param kind whether it is met from both sides
 */
public record FairshareTarget(double percent, Kind kind) {
    /** What the target means. */
    public enum Kind {
        /** Too little and too much both count. */
        TARGET,
        /** Counts only while use is below it. */
        FLOOR,
        /** Counts only while use is above it. */
        CEILING
    }
}
