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
 * @param troubledMillis how long things may go wrong
 * @param deeds what is done from outside, in the order of time
 */
public record LifePlan(long seed, int nodes, int procsPerNode, int jobs, long troubledMillis, List<Deed> deeds) {
    private static final int SPREAD = 0x5DEECE6;

    public LifePlan {
        deeds = List.copyOf(deeds);
    }

    /** Makes the plan of a life of {@code seed}. */
    public static LifePlan of(long seed, long troubledMillis) {
        Random random = new Random(seed * SPREAD + 17);
        int nodes = 2 + random.nextInt(4);
        int jobs = 6 + random.nextInt(14);
        return new LifePlan(
                seed,
                nodes,
                1 + random.nextInt(3),
                jobs,
                troubledMillis,
                new Mischief(random, troubledMillis, jobs, nodes).deeds());
    }

    /** Returns the same life with other deeds. */
    public LifePlan with(List<Deed> others) {
        return new LifePlan(seed, nodes, procsPerNode, jobs, troubledMillis, others);
    }

    /** Returns the same life with fewer jobs. */
    public LifePlan withJobs(int fewer) {
        return new LifePlan(seed, nodes, procsPerNode, fewer, troubledMillis, deeds);
    }
}
