package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the running jobs that have to end at an instant so that another can start then. The shortest run of those that come first
 * which is enough is found by bisection, and those of it that are not needed are spared. The plan is left with the rest of them
 * counted as over.
 */
final class PreemptionSearch {
    /** So many jobs are tried one by one whether they are needed. */
    private static final int MOST_SPARED = 32;

    private final ResourcePlan plan;
    private final NodeTable table;
    private final Job job;
    private final List<Job> candidates;
    private final long at;

    /** How many of the candidates, from the first on, count as over. */
    private int vacated;

    /** Room for a job, once {@code victims} have ended. */
    record Room(Slot slot, List<Job> victims) {}

    /**
     * Prepares a search.
     *
     * @param candidates jobs that may be preempted, those that are preempted first first
     * @param at when they would be over, epoch seconds; after now
     */
    PreemptionSearch(ResourcePlan plan, NodeTable table, Job job, List<Job> candidates, long at) {
        this.plan = plan;
        this.table = table;
        this.job = job;
        this.candidates = candidates;
        this.at = at;
    }

    /** Returns the room that can be made; null, and the plan as it was, where none can or none has to be. */
    @Nullable
    Room find() {
        int few = 0;
        int enough = candidates.size();
        vacateFirst(enough);
        if (slot() == null) {
            vacateFirst(0);
            return null;
        }
        while (enough - few > 1) {
            int middle = (few + enough) >>> 1;
            vacateFirst(middle);
            if (slot() == null) {
                few = middle;
            } else {
                enough = middle;
            }
        }
        vacateFirst(enough);
        return spare(enough);
    }

    private void vacateFirst(int count) {
        for (; vacated < count; vacated++) {
            plan.vacate(candidates.get(vacated), at);
        }
        for (; vacated > count; vacated--) {
            plan.reoccupy(candidates.get(vacated - 1), at);
        }
    }

    /** Returns where the job can start as things are; null where it cannot start in time. */
    private @Nullable Slot slot() {
        Slot slot = plan.earliest(job, at);
        return slot != null && slot.start() == at ? slot : null;
    }

    /** Spares those of the first {@code count} that are not needed, the last of them first. */
    private @Nullable Room spare(int count) {
        List<Job> victims = new ArrayList<>(candidates.subList(0, count));
        Slot found = slot();
        if (found != null && !found.shares().isEmpty() && !plan.namesLate()) {
            spareElsewhere(victims, found);
        }
        int tried = 0;
        for (int i = victims.size() - 1; i >= 0 && tried < MOST_SPARED; i--, tried++) {
            plan.reoccupy(victims.get(i), at);
            if (slot() == null) {
                plan.vacate(victims.get(i), at);
            } else {
                victims.remove(i);
            }
        }
        found = slot();
        return found == null || victims.isEmpty() ? null : new Room(found, victims);
    }

    /** Spares the jobs that have nothing of the nodes that were found. */
    private void spareElsewhere(List<Job> victims, Slot found) {
        BitSet nodes = new BitSet();
        found.shares().forEach(share -> nodes.set(share.position()));
        victims.removeIf(victim -> {
            boolean elsewhere = Arrays.stream(victim.positions(table)).noneMatch(at -> at >= 0 && nodes.get(at));
            if (elsewhere) {
                plan.reoccupy(victim, at);
            }
            return elsewhere;
        });
    }
}
