package io.weir.loop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * All that is decided about a life before it begins. The same plan gives the same life; a plan with fewer deeds is a life
 * of its own.
 *
 * @param seed source of all chance within the life
 * @param nodes nodes of the machine
 * @param procsPerNode processors of each
 * @param jobs jobs that are submitted
 * @param neighbours clusters beside the troubled one, which nobody means any harm
 * @param troubledMillis how long things may go wrong
 * @param deeds what is done from outside, in the order of time
 */
public record LifePlan(
        long seed, int nodes, int procsPerNode, int jobs, int neighbours, long troubledMillis, List<Deed> deeds) {
    private static final int SPREAD = 0x5DEECE6;

    /** Further nodes where some are to be idle. */
    private static final int IDLE_NODES = 2;

    public LifePlan {
        deeds = List.copyOf(deeds);
    }

    /** Makes the plan of a life of {@code seed}. */
    public static LifePlan of(long seed, long troubledMillis) {
        Random random = new Random(seed * SPREAD + 17);
        boolean idle = RecoveryClients.areIn(seed);
        int nodes = 2 + random.nextInt(4) + (idle ? IDLE_NODES : 0);
        int jobs = (6 + random.nextInt(14)) / (idle ? 3 : 1);
        int neighbours = Math.max(0, random.nextInt(5) - 2);
        boolean steady = neighbours > 0 && random.nextBoolean();
        int procs = 1 + random.nextInt(3);
        List<Deed> deeds = new ArrayList<>(new Mischief(random, troubledMillis, jobs, nodes, steady).deeds());
        if (idle) {
            // Nobody else's configuration may turn the failure service off.
            deeds.removeIf(deed -> deed instanceof Deed.Configure);
            deeds.addAll(RecoveryClients.deeds(seed, jobs, nodes, troubledMillis));
        }
        deeds.sort(Comparator.comparingLong(Deed::at));
        return new LifePlan(seed, nodes, procs, jobs, neighbours, troubledMillis, deeds);
    }

    /** Returns the same life with other deeds. */
    public LifePlan with(List<Deed> others) {
        return new LifePlan(seed, nodes, procsPerNode, jobs, neighbours, troubledMillis, others);
    }

    /** Returns the same life with fewer jobs. */
    public LifePlan withJobs(int fewer) {
        return new LifePlan(seed, nodes, procsPerNode, fewer, neighbours, troubledMillis, deeds);
    }
}
