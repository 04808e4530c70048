package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.policy.PriorityWeight;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts how often each waiting job was passed over by one of lower priority. Where the count has a weight it is kept for
 * every job; else, as nothing but its display depends on it, for jobs at the head of the queue that have a reservation.
 */
final class BypassCount {
    /** Jobs at the head of the queue that are counted though the count has no weight. */
    private static final int HEAD = 10;

    private final ClusterState state;
    private final long now;
    private final boolean all;

    /** Started jobs of lower priority, by id of the job they went ahead of. */
    private final SortedMap<String, Integer> passed = new TreeMap<>();

    BypassCount(ClusterState state, long now) {
        this.state = state;
        this.now = now;
        this.all = state.domain.policy.priority().weight(PriorityWeight.BYPASSWEIGHT) != 0;
    }

    /** Notes that {@code job} is about to start; returns whether it goes ahead of a job of higher priority. */
    boolean started(Job job) {
        JobQueue queue = state.jobs.queue();
        int position = queue.position(job);
        boolean ahead = false;
        for (int i = 0; i < position && (all || i < HEAD || !ahead); i++) {
            Job skipped = queue.get(i);
            if (skipped.notBefore() <= now) {
                ahead = true;
                if (all || (i < HEAD && state.reservations.get(skipped.id()) != null)) {
                    passed.merge(skipped.id(), 1, Integer::sum);
                }
            }
        }
        return ahead;
    }

    /** Puts the counts in force. */
    void record() {
        passed.forEach((id, jobs) -> {
            Job job = state.jobs.get(id);
            if (job != null && job.waiting()) {
                state.emit(job.edit().bypassed(jobs));
            }
        });
    }
}
