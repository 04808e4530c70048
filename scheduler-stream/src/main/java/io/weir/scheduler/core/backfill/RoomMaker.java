package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.plan.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for jobs that may preempt others and cannot start otherwise. How many of them it is worked out for in one iteration
 * is limited; those behind the first have turns. One iteration's use.
 */
final class RoomMaker {
    /** For so many jobs at the head of the queue it is worked out in each iteration whether room can be made. */
    static final int FIRST = 8;

    /** For so many of the others. */
    static final int IN_TURN = 8;

    private final NodeTable nodes;
    private final boolean open;
    private final int waiting;
    private final long turn;

    /** Jobs that others may be preempted for, as far as the walk came. */
    private int met;

    private boolean made;

    /**
     * Prepares an iteration.
     *
     * @param waiting how many jobs wait that may preempt others
     * @param open whether jobs run that may be preempted
     * @param turn counts iterations
     */
    RoomMaker(NodeTable nodes, int waiting, boolean open, long turn) {
        this.nodes = nodes;
        this.waiting = waiting;
        this.open = open;
        this.turn = turn;
    }

    /** Returns whether there may be a job that runs and can be preempted, and one that waits for which it can be. */
    boolean open() {
        return open;
    }

    /**
     * Returns whether room may be made now for the job at {@code position}: it may preempt others, none is made for it already,
     * and its turn has come. A walk asks for each position once, in order.
     */
    boolean concerns(JobQueue queue, int position, long now) {
        QueueColumns columns = queue.columns();
        int row = queue.row(position);
        return open
                && columns.preemptor(row)
                && columns.notBefore(row) <= now
                && queue.get(position).preemption() == null
                && isDue(met++);
    }

    /**
     * Has jobs preempted so that {@code job} can start at the next instant; returns its slot then, taken from the plan of
     * {@code pass}; null where that cannot be.
     */
    @Nullable
    Slot makeRoom(PlanningPass pass, Job job) {
        List<Job> candidates = pass.actions().preemptees(job);
        long procs = nodes.sums().free();
        for (Job candidate : candidates) {
            procs += candidate.dedicatedProcs();
        }
        if (candidates.isEmpty()
                || procs < job.request().procs()
                || !pass.plan().possible(job)) {
            return null;
        }
        PreemptionSearch.Room room = new PreemptionSearch(pass.plan(), nodes, job, candidates, pass.now() + 1).find();
        if (room == null) {
            return null;
        }
        made = true;
        pass.slots().room(pass.plan(), job, room.slot(), pass.actions());
        pass.actions().preempt(job, room.victims());
        return room.slot();
    }

    /** Returns whether it is the turn of the job met as number {@code number}, counted from 0. */
    private boolean isDue(int number) {
        int others = Math.max(1, waiting - FIRST);
        return number < FIRST || Math.floorMod(number - FIRST - turn * IN_TURN, (long) others) < IN_TURN;
    }

    /** Returns whether any room was made. */
    boolean made() {
        return made;
    }
}
