package io.weir.scheduler.core.backfill;

/**
 * BACKFILLPOLICY PREEMPT: as FIRSTFIT, but no blocked job gets a priority reservation. Jobs that overtook others may be preempted
 * ({@code PreemptionRights}).
 */
final class PreemptBackfill implements BackfillStrategy {
    private final BackfillStrategy firstFit = new FirstFitBackfill();

    @Override
    public void plan(PlanningPass pass) {
        firstFit.plan(pass);
    }

    @Override
    public boolean reserves() {
        return false;
    }
}
