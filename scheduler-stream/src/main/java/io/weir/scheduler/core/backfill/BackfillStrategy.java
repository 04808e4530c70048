package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.policy.scheduler.BackfillSettings;

/**
 * One BACKFILLPOLICY: decides which jobs start before a job that waits ahead of them. To add one, write a class and name it
 * in {@link #of}.
 */
interface BackfillStrategy {
    /** Returns the strategy that {@code settings} ask for. */
    static BackfillStrategy of(BackfillSettings settings) {
        return switch (settings.policy()) {
            case FIRSTFIT -> new FirstFitBackfill();
            case BESTFIT -> new BestFitBackfill(settings.metric());
            case GREEDY -> new GreedyBackfill(settings.metric());
            case PREEMPT -> new PreemptBackfill();
            case NONE -> new NoBackfill();
        };
    }

    /** Starts, reserves or passes over the waiting jobs that {@code pass} has not looked at yet. */
    void plan(PlanningPass pass);

    /** Returns whether blocked jobs get priority reservations, as RESERVATIONPOLICY says; where false, none do. */
    default boolean reserves() {
        return true;
    }

    /** Returns whether reservations of an earlier pass may stay in the plan. */
    default boolean retains() {
        return true;
    }

    /** Returns whether a later pass may look at new jobs alone, against the plan that this one left. */
    default boolean resumable() {
        return true;
    }

    /** Returns whether a pass may leave jobs for later ones that continue it. */
    default boolean divisible() {
        return false;
    }
}
