package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.BackfillPolicy;
import io.weir.scheduler.core.policy.BackfillSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * BESTFIT and GREEDY: fills the windows of idle resources that the reservations leave, widest first. BESTFIT starts the
 * job with the largest metric that fits, then looks anew; GREEDY starts the jobs that together have the largest metric,
 * found exactly among few candidates, otherwise by taking the largest first. Equal metrics go by priority.
 */
final class WindowFilling {
    /** Candidates up to which every combination is tried. */
    private static final int EXACT = 12;

    private final ResourcePlan plan;
    private final BackfillSettings settings;

    /** Jobs that fitted when the walk passed them, in priority order. */
    private final List<Job> candidates = new ArrayList<>();

    WindowFilling(ResourcePlan plan, BackfillSettings settings) {
        this.plan = plan;
        this.settings = settings;
    }

    /** Adds the next job in priority order. */
    void add(Job job) {
        candidates.add(job);
    }

    /** Starts what fits; {@code started} is told of each. */
    void fill(PlanActions actions, Consumer<Job> started) {
        boolean progress = true;
        while (progress && !candidates.isEmpty()) {
            progress = false;
            for (Window window : plan.windows()) {
                for (Job job : choose(window, actions)) {
                    actions.considering(job);
                    Slot slot = plan.now(job);
                    candidates.remove(job);
                    if (slot != null && actions.awaited(job)) {
                        plan.take(slot);
                    } else if (slot != null && actions.start(job, slot.shares(), true)) {
                        plan.take(slot);
                        started.accept(job);
                        progress = true;
                    }
                }
                if (progress) {
                    break;
                }
            }
        }
    }

    private List<Job> choose(Window window, PlanActions actions) {
        List<Job> fitting = new ArrayList<>();
        for (Job job : candidates) {
            actions.considering(job);
            if (job.request().procs() <= window.procs()
                    && job.request().walltimeSeconds() <= window.seconds()
                    && plan.now(job) != null) {
                fitting.add(job);
            }
        }
        if (settings.policy() == BackfillPolicy.GREEDY) {
            return fitting.size() <= EXACT
                    ? bestTogether(fitting, window.procs())
                    : largestFirst(fitting, window.procs());
        }
        Job best = largest(fitting);
        return best == null ? List.of() : List.of(best);
    }

    private @Nullable Job largest(List<Job> jobs) {
        Job best = null;
        for (Job job : jobs) {
            if (best == null || metric(job) > metric(best)) {
                best = job;
            }
        }
        return best;
    }

    private List<Job> bestTogether(List<Job> jobs, long procs) {
        int best = 0;
        long bestSum = 0;
        for (int set = 1; set < 1 << jobs.size(); set++) {
            long width = 0;
            long sum = 0;
            for (int i = 0; i < jobs.size(); i++) {
                if ((set >>> i & 1) != 0) {
                    width += jobs.get(i).request().procs();
                    sum += metric(jobs.get(i));
                }
            }
            if (width <= procs && sum > bestSum) {
                best = set;
                bestSum = sum;
            }
        }
        List<Job> chosen = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if ((best >>> i & 1) != 0) {
                chosen.add(jobs.get(i));
            }
        }
        return chosen;
    }

    private List<Job> largestFirst(List<Job> jobs, long procs) {
        List<Job> rest = new ArrayList<>(jobs);
        List<Job> chosen = new ArrayList<>();
        long left = procs;
        while (!rest.isEmpty()) {
            Job job = largest(rest);
            rest.remove(job);
            if (job != null && job.request().procs() <= left) {
                chosen.add(job);
                left -= job.request().procs();
            }
        }
        return chosen;
    }

    private long metric(Job job) {
        long seconds = job.request().walltimeSeconds();
        long procs = job.request().procs();
        return switch (settings.metric()) {
            case PROCS -> procs;
            case PROCSECONDS -> procs * seconds;
            case SECONDS -> seconds;
            case PE -> plan.milliEquivalents(job);
            case PESECONDS -> plan.milliEquivalents(job) * seconds;
        };
    }
}
