package io.weir.loop;

import java.util.List;

/**
 * How a life went.
 *
 * @param plan what was planned
 * @param charges what must not be, and was; empty when all is well
 * @param hash hash of all that happened; equal plans have equal hashes
 * @param trace what happened, if it was to be kept
 * @param iterations how many iterations the scheduler made
 * @param starts how often its processes were started
 * @param replacements nodes of running jobs that the failure service replaced
 * @param turns how many turns were taken
 */
public record Outcome(
        LifePlan plan,
        List<String> charges,
        long hash,
        List<String> trace,
        long iterations,
        long starts,
        int replacements,
        long turns) {
    /** Says whether all is well. */
    public boolean isFine() {
        return charges.isEmpty();
    }
}
