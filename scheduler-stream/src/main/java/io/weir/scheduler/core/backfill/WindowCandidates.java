package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that fit now and may start in a window. A pass only takes from the plan, so one that no longer fits is out of it for
 * good, and each is tried only as often as it fits. One pass's use.
 */
final class WindowCandidates {
    private final PlanningPass pass;

    /** In priority order. */
    private final List<Candidate> candidates = new ArrayList<>();

    /** The largest metric first, of equal ones in priority order; made when it is first asked for. */
    private List<Candidate> largestFirst = List.of();

    /** Those that started, or fit no longer, by their numbers. */
    private final BitSet gone = new BitSet();

    private int left;

    /**
     * A job, with what is asked of it again and again at hand.
     *
     * @param number its place in priority order
     */
    private record Candidate(Job job, int number, long metric, long procs, long seconds) {
        static final Comparator<Candidate> LARGEST_FIRST =
                Comparator.comparingLong(Candidate::metric).reversed().thenComparingInt(Candidate::number);

        boolean within(Window window) {
            return procs <= window.procs() && seconds <= window.seconds();
        }
    }

    WindowCandidates(PlanningPass pass) {
        this.pass = pass;
    }

    /** Adds a job that fits now, behind all that have a higher priority; {@code metric} says how large it is. */
    void add(Job job, long metric) {
        candidates.add(
                new Candidate(job, candidates.size(), metric, job.request().procs(), job.plannedSeconds()));
        left++;
    }

    boolean isEmpty() {
        return left == 0;
    }

    /** Returns the first {@code most} jobs in priority order. */
    List<Job> first(int most) {
        return candidates.stream().limit(most).map(Candidate::job).toList();
    }

    /** Takes out the job with the largest metric that fits {@code window}; of equal ones the first. Null when there is none. */
    @Nullable
    Job takeLargest(Window window) {
        if (largestFirst.size() < candidates.size()) {
            largestFirst = new ArrayList<>(candidates);
            largestFirst.sort(Candidate.LARGEST_FIRST);
        }
        for (Candidate candidate : largestFirst) {
            if (fits(candidate, window)) {
                drop(candidate);
                return candidate.job();
            }
        }
        return null;
    }

    /** Returns the jobs each of which fits {@code window} by itself, in priority order. */
    List<Job> fitting(Window window) {
        List<Job> fitting = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (fits(candidate, window)) {
                fitting.add(candidate.job());
            }
        }
        return fitting;
    }

    private boolean fits(Candidate candidate, Window window) {
        if (gone.get(candidate.number()) || !candidate.within(window)) {
            return false;
        }
        pass.actions().considering(candidate.job());
        boolean fits = pass.plan().fitsNow(candidate.job());
        if (!fits) {
            drop(candidate);
        }
        return fits;
    }

    /** Takes out {@code jobs}, which are tried no more. */
    void remove(Collection<Job> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        Set<String> ids = new LinkedHashSet<>();
        jobs.forEach(job -> ids.add(job.id()));
        for (Candidate candidate : candidates) {
            if (ids.contains(candidate.job().id())) {
                drop(candidate);
            }
        }
    }

    private void drop(Candidate candidate) {
        if (!gone.get(candidate.number())) {
            gone.set(candidate.number());
            left--;
        }
    }
}
