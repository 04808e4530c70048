package io.weir.scheduler.core.backfill;

/**
 * BACKFILLPOLICY FIRSTFIT: in priority order, starts every job that fits and delays no reservation. With a reservation for
 * the first blocked job alone this is EASY backfill (D. Lifka, 1995), with reservations for all of them conservative
 * backfill (A. Mu'alem and D. Feitelson, 2001).
 */
final class FirstFitBackfill implements BackfillStrategy {
    @Override
    public void plan(PlanningPass pass) {
        QueueWalk walk = new QueueWalk(pass);
        while (walk.next()) {
            if (!walk.start(walk.inTurn() || walk.mayOvertake()) && !walk.reserve()) {
                walk.dismiss();
            }
        }
        walk.end();
    }

    @Override
    public boolean divisible() {
        return true;
    }
}
