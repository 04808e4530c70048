package io.weir.scheduler.core.job;

import java.util.ArrayList;
import java.util.List;

/**
 * The waiting jobs in queue order, first come first served. Appending is the common case and costs nothing; anything
 * else is a binary search and a shift. Owned by the core's thread.
 */
public final class JobQueue {
    private final List<Job> jobs = new ArrayList<>();

    /** Returns how many jobs wait. */
    public int size() {
        return jobs.size();
    }

    /** Returns the job at {@code position}, 0 being the first. */
    public Job get(int position) {
        return jobs.get(position);
    }

    /** Adds a job, or replaces the version that stands at the same place in the order. */
    void put(Job job) {
        int last = jobs.size() - 1;
        if (last < 0 || JobRequest.QUEUE_ORDER.compare(jobs.get(last).request(), job.request()) < 0) {
            jobs.add(job);
            return;
        }
        int position = position(job);
        if (position >= 0) {
            jobs.set(position, job);
        } else {
            jobs.add(-position - 1, job);
        }
    }

    /** Takes out the job at the place of {@code job}; nothing happens when it is not there. */
    void remove(Job job) {
        int position = position(job);
        if (position >= 0) {
            jobs.remove(position);
        }
    }

    /** Returns the position of {@code job}, or -(insertion point) - 1. */
    public int position(Job job) {
        int low = 0;
        int high = jobs.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = JobRequest.QUEUE_ORDER.compare(jobs.get(middle).request(), job.request());
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
