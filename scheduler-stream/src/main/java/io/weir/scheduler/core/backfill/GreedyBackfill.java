package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * BACKFILLPOLICY GREEDY: in each window the jobs that together fit and have the largest metric. Up to twelve candidates every
 * combination is considered; of more, and where too many combinations do not fit, the largest that still fit are taken one by
 * one. Whether jobs fit together is tried on the plan, which is left as it was.
 */
final class GreedyBackfill extends WindowBackfill {
    /** Candidates up to which every combination is considered. */
    private static final int EXACT = 12;

    /** Jobs that are put on the plan at most until a combination is found that fits. */
    private static final int MOST_TRIALS = 2_000;

    GreedyBackfill(BackfillMetric metric) {
        super(metric);
    }

    /** Jobs by their bits in {@code members}, and their metric together. */
    private record Combination(int members, long metric) {
        /** Largest metric first, then the one that does without the jobs of lowest priority. */
        static final Comparator<Combination> BEST_FIRST =
                Comparator.comparingLong(Combination::metric).reversed().thenComparingInt(Combination::members);

        boolean contains(int others) {
            return (members & others) == others;
        }
    }

    @Override
    List<Job> choose(Window window, WindowCandidates candidates, ResourcePlan plan) {
        List<Job> chosen = together(window, candidates.fitting(window), plan);
        candidates.remove(chosen);
        return chosen;
    }

    /** Returns those of {@code fitting}, each of which fits {@code window} by itself, that are started in it together. */
    List<Job> together(Window window, List<Job> fitting, ResourcePlan plan) {
        List<Job> best = fitting.size() <= EXACT ? bestTogether(fitting, window.procs(), plan) : null;
        return best != null ? best : largestFirst(fitting, window.procs(), plan);
    }

    /** Returns the jobs that have the largest metric together; null when that would take too long to find out. */
    private @Nullable List<Job> bestTogether(List<Job> jobs, long procs, ResourcePlan plan) {
        PriorityQueue<Combination> combinations = combinations(jobs, procs, plan);
        List<Integer> unfit = new ArrayList<>();
        Trial trial = new Trial(plan);
        while (!combinations.isEmpty() && trial.count() < MOST_TRIALS) {
            Combination combination = combinations.remove();
            if (unfit.stream().noneMatch(combination::contains)) {
                int tooMany = tooMany(jobs, combination.members(), trial);
                trial.undo();
                if (tooMany == 0) {
                    return members(jobs, combination.members());
                }
                unfit.add(tooMany);
            }
        }
        return combinations.isEmpty() ? List.of() : null;
    }

    /** Returns the combinations that the processors of the window suffice for and that are worth anything. */
    private PriorityQueue<Combination> combinations(List<Job> jobs, long procs, ResourcePlan plan) {
        long[] metrics = metrics(jobs, plan);
        PriorityQueue<Combination> combinations = new PriorityQueue<>(Combination.BEST_FIRST);
        for (int members = 1; members < 1 << jobs.size(); members++) {
            long width = 0;
            long sum = 0;
            for (int i = 0; i < metrics.length; i++) {
                if ((members >>> i & 1) != 0) {
                    width += jobs.get(i).request().procs();
                    sum += metrics[i];
                }
            }
            if (width <= procs && sum > 0) {
                combinations.add(new Combination(members, sum));
            }
        }
        return combinations;
    }

    /** Puts {@code members} on the plan one by one; returns those up to the first that does not fit, 0 when all do. */
    private static int tooMany(List<Job> jobs, int members, Trial trial) {
        for (int i = 0; i < jobs.size(); i++) {
            if ((members >>> i & 1) != 0 && !trial.take(jobs.get(i))) {
                return members & ((1 << (i + 1)) - 1);
            }
        }
        return 0;
    }

    private static List<Job> members(List<Job> jobs, int members) {
        List<Job> chosen = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if ((members >>> i & 1) != 0) {
                chosen.add(jobs.get(i));
            }
        }
        return chosen;
    }

    private long[] metrics(List<Job> jobs, ResourcePlan plan) {
        return jobs.stream().mapToLong(job -> metric(job, plan)).toArray();
    }

    private List<Job> largestFirst(List<Job> jobs, long procs, ResourcePlan plan) {
        long[] metrics = metrics(jobs, plan);
        List<Integer> byMetric = new ArrayList<>();
        for (int i = 0; i < metrics.length; i++) {
            byMetric.add(i);
        }
        byMetric.sort(Comparator.comparingLong((Integer i) -> metrics[i]).reversed());
        List<Job> chosen = new ArrayList<>();
        Trial trial = new Trial(plan);
        long left = procs;
        for (int i : byMetric) {
            Job job = jobs.get(i);
            if (job.request().procs() <= left && trial.take(job)) {
                chosen.add(job);
                left -= job.request().procs();
            }
        }
        trial.undo();
        return chosen;
    }
}
