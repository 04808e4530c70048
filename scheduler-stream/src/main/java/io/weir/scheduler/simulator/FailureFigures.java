package io.weir.scheduler.simulator;

/**
 * What the failures of nodes cost a workload under one policy, and whether anything went wrong.
 *
 * @param policy the policy
 * @param jobs jobs of the workload
 * @param completed jobs that ran to their ends
 * @param ended jobs that were ended because of a failure
 * @param failures failures of nodes while the workload lasted
 * @param struck failures of nodes under running jobs, by job
 * @param lostNodeSeconds seconds that nodes were down, added up
 * @param wastedProcSeconds processor seconds of runs that were thrown away, and of failed nodes that jobs kept
 * @param resumed jobs that went on after a failure, by failure
 * @param secondsToResume seconds until they did, added up
 * @param makespan seconds from the first submission to the last end
 * @param unfinished jobs that would never have ended: their nodes fail more often than they need to run, or never come back
 * @param lost jobs of which nothing is known in the end: 0
 * @param startedTwice starts of jobs that ran: 0
 * @param exceeded starts beyond what nodes had, or on nodes that were down: 0
 * @param replayed whether another core decided the same from the same facts
 */
public record FailureFigures(
        String policy,
        int jobs,
        int completed,
        int ended,
        long failures,
        long struck,
        long lostNodeSeconds,
        long wastedProcSeconds,
        long resumed,
        long secondsToResume,
        long makespan,
        int unfinished,
        int lost,
        int startedTwice,
        int exceeded,
        boolean replayed) {
    /** Returns whether no job was lost or started twice, no node given more than it has, and the replay is the same. */
    public boolean isSound() {
        return lost == 0 && startedTwice == 0 && exceeded == 0 && replayed;
    }

    /** Returns the mean time until a job went on after a failure, in seconds; NaN when none did. */
    public double meanSecondsToResume() {
        return resumed == 0 ? Double.NaN : (double) secondsToResume / resumed;
    }
}
