package io.weir.scheduler.core.policy.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * The scheduler itself. Intervals are in seconds.
 *
 * @param mode SCHEDCFG MODE
 * @param jobPurgeSeconds JOBCPURGETIME: how long finished jobs stay visible
 * @param jobRetrySeconds JOBRETRYTIME: how long a job waits after its first failed start
 * @param deferSeconds DEFERTIME: how long it waits once it was refused too often
 * @param deferCount DEFERCOUNT: how often it is deferred before it is held
 * @param deferStartCount DEFERSTARTCOUNT: failed starts after which it is deferred
 * @param randomSeed RANDOMSEED
 * @param explainDepth EXPLAINDEPTH: jobs at the head of the queue whose waiting is explained unasked
 * @param mailDomain MAILDOMAIN: put behind bare user names; null for none
 * @param recorded RECORDEVENTLIST: which events are told where GEVENTCFG says nothing of them
 */
public record SchedulerSettings(
        Mode mode,
        long jobPurgeSeconds,
        long jobRetrySeconds,
        long deferSeconds,
        int deferCount,
        int deferStartCount,
        long randomSeed,
        int explainDepth,
        @Nullable String mailDomain,
        RecordedEvents recorded) {
    /** What an empty configuration uses. */
    public static final SchedulerSettings DEFAULT =
            new SchedulerSettings(Mode.NORMAL, 300, 60, 3600, 24, 1, 0, 1000, null, RecordedEvents.ALL);
}
