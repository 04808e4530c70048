package io.weir.rm.simulated;

import io.weir.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes up a workload from a seed; the same parameters give the same jobs on every machine. Arrivals are a Poisson
 * process, sizes and run times log-uniform, sizes preferably powers of two; users overestimate their run time up to five
 * times and round up, and one in twenty underestimates it.
 *
 * @param jobs how many
 * @param seed seed of the random numbers
 * @param load share of the machine the jobs would use if none had to wait, above 0
 * @param longestRunSeconds longest run time
 */
record GeneratedWorkload(int jobs, long seed, double load, long longestRunSeconds) {
    /** Midnight UTC, 2000-01-01. */
    private static final long BASE = 946_684_800L;

    private static final long SHORTEST_RUN_SECONDS = 10;
    private static final double GREATEST_OVERESTIMATE = 5.0;
    private static final double UNDERESTIMATED = 0.05;
    private static final double POWER_OF_TWO = 0.75;
    private static final int USERS = 24;
    private static final int GROUPS = 5;

    /** Returns the workload for a machine of {@code processors} processors. */
    Workload on(int processors) {
        Random random = new Random(seed);
        List<TraceJob> made = new ArrayList<>(jobs);
        double workPerSecond = load * processors;
        double clock = 0;
        for (int i = 0; i < jobs; i++) {
            int procs = size(random, processors);
            long run = run(random);
            long estimate = estimate(random, run);
            int user = random.nextInt(USERS);
            made.add(new TraceJob(
                    Integer.toString(i + 1),
                    i + 1L,
                    i,
                    (long) clock,
                    procs,
                    estimate,
                    run,
                    user + 1L,
                    user % GROUPS + 1L,
                    -1));
            double meanGap = meanWork(processors) / workPerSecond;
            clock += -StrictMath.log(1.0 - random.nextDouble()) * meanGap;
        }
        return new Workload(BASE, made);
    }

    private static int size(Random random, int processors) {
        double exponent = random.nextDouble() * StrictMath.log(processors + 1.0) / StrictMath.log(2.0);
        boolean power = random.nextDouble() < POWER_OF_TWO;
        double size = power ? 1L << (int) exponent : StrictMath.pow(2.0, exponent);
        return (int) Math.min(processors, Math.max(1, (long) size));
    }

    private long run(Random random) {
        double ratio = (double) longestRunSeconds / SHORTEST_RUN_SECONDS;
        return Math.max(1, (long) (SHORTEST_RUN_SECONDS * StrictMath.pow(ratio, random.nextDouble())));
    }

    private static long estimate(Random random, long run) {
        boolean under = random.nextDouble() < UNDERESTIMATED;
        double factor = under ? 0.5 + random.nextDouble() / 2 : 1 + random.nextDouble() * (GREATEST_OVERESTIMATE - 1);
        long grid = run < 3600 ? 60 : 900;
        return Math.max(grid, ((long) (run * factor) + grid - 1) / grid * grid);
    }

    /** Mean of size times run time, taking both as log-uniform. */
    private double meanWork(int processors) {
        double sizes = processors / StrictMath.log(processors + 1.0);
        double span = (double) longestRunSeconds - SHORTEST_RUN_SECONDS;
        double runs = span <= 0
                ? SHORTEST_RUN_SECONDS
                : span / StrictMath.log((double) longestRunSeconds / SHORTEST_RUN_SECONDS);
        return Math.max(1, sizes) * runs;
    }
}
