package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import java.util.List;

/**
 * Backfill by windows of idle resources. The walk starts jobs in their turn and those whose reservation has come, unless they
 * would take the place of one ahead of them, gives the first blocked jobs their reservations and sets aside every other job that fits. The windows that the reservations leave
 * are filled afterwards, widest first, with the jobs a subclass chooses; after each start the windows are found anew.
 */
abstract class WindowBackfill implements BackfillStrategy {
    /** Jobs set aside that are tried beside one whose reservation has come; each costs a search. */
    private static final int MOST_AHEAD = 100;

    private final BackfillMetric metric;

    WindowBackfill(BackfillMetric metric) {
        this.metric = metric;
    }

    /**
     * Returns the jobs to start in {@code window}, taken out of the candidates; an empty list leaves it idle.
     *
     * @param candidates jobs that may fit it
     */
    abstract List<Job> choose(Window window, WindowCandidates candidates, ResourcePlan plan);

    @Override
    public final void plan(PlanningPass pass) {
        WindowCandidates candidates = new WindowCandidates(pass);
        QueueWalk walk = new QueueWalk(pass);
        while (walk.next()) {
            if (walk.start(walk.inTurn() || (walk.mayOvertake() && comesDue(pass, walk, candidates)))) {
                continue;
            }
            if (walk.mayFillWindow()) {
                candidates.add(walk.job(), metric(walk.job(), pass.plan()));
                pass.bypasses().setAside(walk.job());
            } else if (!walk.reserve()) {
                walk.dismiss();
            }
        }
        if (walk.cut()) {
            walk.end();
        } else {
            fill(pass, candidates);
        }
    }

    /**
     * Returns whether a job starts that overtakes others as its time has come: by its deadline or, where no job that was set aside
     * ahead of it would have to stay behind for that, by the reservation it got in the last pass.
     */
    private static boolean comesDue(PlanningPass pass, QueueWalk walk, WindowCandidates ahead) {
        return walk.due() || (walk.reserved() && !displaces(pass, walk.job(), ahead));
    }

    private static boolean displaces(PlanningPass pass, Job job, WindowCandidates ahead) {
        Trial trial = new Trial(pass.plan());
        boolean displaces = !ahead.isEmpty()
                && trial.take(job)
                && ahead.first(MOST_AHEAD).stream()
                        .anyMatch(other -> !pass.plan().fitsNow(other));
        trial.undo();
        return displaces;
    }

    private void fill(PlanningPass pass, WindowCandidates candidates) {
        boolean progress = true;
        while (progress && !candidates.isEmpty() && !pass.startedEnough()) {
            progress = false;
            for (Window window : pass.plan().windows()) {
                for (Job job : choose(window, candidates, pass.plan())) {
                    progress |= starts(pass, job);
                }
                if (progress) {
                    break;
                }
            }
        }
        if (pass.startedEnough() && !candidates.isEmpty()) {
            pass.cutAt(pass.queue().size());
        }
    }

    /** Starts {@code job} if it still fits; a job that waits for an answer keeps its nodes instead. */
    private static boolean starts(PlanningPass pass, Job job) {
        pass.actions().considering(job);
        Slot slot = pass.plan().now(job);
        if (slot == null) {
            return false;
        }
        slot = pass.molding().widest(job, slot, null);
        if (pass.actions().awaited(job, slot.shares(), false)) {
            pass.plan().take(slot);
            return false;
        }
        if (!pass.actions().start(job, slot.shares(), true)) {
            return false;
        }
        pass.countStart(job);
        pass.plan().take(slot);
        pass.bypasses().startedAside(job);
        return true;
    }

    /** Returns how much of the cluster {@code job} would use, by BACKFILLMETRIC. */
    final long metric(Job job, ResourcePlan plan) {
        long seconds = job.request().walltimeSeconds();
        long procs = job.request().procs();
        return switch (metric) {
            case PROCS -> procs;
            case PROCSECONDS -> procs * seconds;
            case SECONDS -> seconds;
            case PE -> plan.milliEquivalents(job);
            case PESECONDS -> plan.milliEquivalents(job) * seconds;
        };
    }

    @Override
    public final boolean resumable() {
        return false;
    }
}
