package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;

/**
 * Which jobs of several requirements a pass tries to start ahead of others. Each of their requirements is placed by itself,
 * and nothing is remembered of where they do not fit, so every pass would try all of them anew. Where jobs have many
 * requirements together, the jobs take turns: a pass tries some of them, in the order of the queue, and which these are
 * follows from the number of the iteration. The first job that waits is not asked for: it is always tried, so that nobody
 * starts ahead of what is its own; nor are those entitled to a reservation, until searches for such jobs cost as much as they
 * may ({@link io.weir.scheduler.core.plan.ResourcePlan#spent}).
 */
final class SpreadTurns {
    /** Requirements besides the first of each job that one pass tries, and those of one job more. */
    static final int MOST = 1_000;

    private final int turns;
    private final int turn;

    /** Requirements of the jobs asked for so far. */
    private long asked;

    /**
     * Begins a pass.
     *
     * @param further requirements besides the first that jobs have, at least those of all jobs that wait
     * @param iteration number of the iteration
     */
    SpreadTurns(int further, long iteration) {
        turns = Math.max(1, (further + MOST - 1) / MOST);
        turn = (int) Math.floorMod(mixed(iteration), (long) turns);
    }

    /** Returns a number in which neighbours of {@code iteration} differ in every respect, so that no rhythm meets a turn. */
    private static long mixed(long iteration) {
        long mixed = (iteration + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Returns whether jobs take turns. */
    boolean several() {
        return turns > 1;
    }

    /** Returns whether it is not the turn of {@code job}, which comes behind those asked for before. */
    boolean postpones(Job job) {
        int further = job.request().requirements().size() - 1;
        if (further == 0 || turns == 1) {
            return false;
        }
        long its = asked / MOST % turns;
        asked += further;
        return its != turn;
    }
}
