package io.weir.loop;

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

    public LifePlan {
        deeds = List.copyOf(deeds);
    }

    /** Makes the plan of a life of {@code seed}. */
    public static LifePlan of(long seed, long troubledMillis) {
        Random random = new Random(seed * SPREAD + 17);
        int nodes = 2 + random.nextInt(4);
        int jobs = 6 + random.nextInt(14);
        int neighbours = Math.max(0, random.nextInt(5) - 2);
        boolean steady = neighbours > 0 && random.nextBoolean();
        return new LifePlan(
                seed,
                nodes,
                1 + random.nextInt(3),
                jobs,
                neighbours,
                troubledMillis,
                new Mischief(random, troubledMillis, jobs, nodes, steady).deeds());
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
