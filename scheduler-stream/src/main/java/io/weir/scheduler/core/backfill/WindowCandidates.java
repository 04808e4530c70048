package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that fit now and may start in a window. A pass only takes from the plan, so one that no longer fits is out of it for
 * good, and each is tried only as often as it fits. One pass's use.
 */
final class WindowCandidates {
    private final PlanningPass pass;

    /** Largest metric first; of equal ones in priority order. */
    private final List<Job> byMetric = new ArrayList<>();

    /** Places in {@link #byMetric} in priority order. */
    private final int[] byPriority;

    /** Places of those that started, or fit no longer. */
    private final BitSet gone = new BitSet();

    /** Places by the id of the job; never iterated. */
    private final Map<String, Integer> places = new LinkedHashMap<>();

    private int left;

    /** Takes {@code jobs}, which are in priority order. */
    WindowCandidates(PlanningPass pass, List<Job> jobs, ToLongFunction<Job> metric) {
        this.pass = pass;
        List<Integer> order = new ArrayList<>();
        long[] metrics = jobs.stream().mapToLong(metric).toArray();
        for (int i = 0; i < metrics.length; i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingLong((Integer i) -> metrics[i]).reversed());
        byPriority = new int[metrics.length];
        for (int place = 0; place < metrics.length; place++) {
            int job = order.get(place);
            byMetric.add(jobs.get(job));
            byPriority[job] = place;
            places.put(jobs.get(job).id(), place);
        }
        left = metrics.length;
    }

    boolean isEmpty() {
        return left == 0;
    }

    /** Returns the job with the largest metric that fits {@code window}; of equal ones the first. Null when there is none. */
    @Nullable
    Job largest(Window window) {
        for (int place = gone.nextClearBit(0); place < byMetric.size(); place = gone.nextClearBit(place + 1)) {
            if (fits(place, window)) {
                return byMetric.get(place);
            }
        }
        return null;
    }

    /** Returns the jobs each of which fits {@code window} by itself, in priority order. */
    List<Job> fitting(Window window) {
        List<Job> fitting = new ArrayList<>();
        for (int place : byPriority) {
            if (!gone.get(place) && fits(place, window)) {
                fitting.add(byMetric.get(place));
            }
        }
        return fitting;
    }

    private boolean fits(int place, Window window) {
        Job job = byMetric.get(place);
        if (job.request().procs() > window.procs() || job.plannedSeconds() > window.seconds()) {
            return false;
        }
        pass.actions().considering(job);
        boolean fits = pass.plan().now(job) != null;
        if (!fits) {
            drop(place);
        }
        return fits;
    }

    /** Takes out {@code job}, which is tried no more. */
    void remove(Job job) {
        Integer place = places.get(job.id());
        if (place != null) {
            drop(place);
        }
    }

    private void drop(int place) {
        if (!gone.get(place)) {
            gone.set(place);
            left--;
        }
    }
}
