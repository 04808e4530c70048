package io.weir.scheduler.bench;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * An endless stream of jobs for a {@link MixedCluster}: half of them serial or on one node, the rest on up to 64 nodes;
 * memory by task, one in six for a feature or an accelerator; limits as people write them, and run times below.
 */
final class MixedWorkload {
    /** Users, named u0, u1 and so on. */
    static final int USERS = 200;

    private static final int[] TASK_PROCS = {1, 1, 1, 2, 4, 8, 16, 32};
    private static final long[] MEMORY_PER_PROC = {0, 0, 1_000, 2_000, 3_500};
    private static final long[] LIMITS = {900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400};

    private final Random random;
    private final String cluster;
    private long number;
    private boolean fewestNodes;

    MixedWorkload(String cluster, long seed) {
        this.cluster = cluster;
        random = new Random(seed);
    }

    /** Says whether the jobs to come take as few nodes as will do. */
    void onFewestNodes(boolean fewest) {
        fewestNodes = fewest;
    }

    /** Returns the next job, submitted at {@code submit}. */
    JobReport next(Instant submit) {
        int procs = TASK_PROCS[random.nextInt(TASK_PROCS.length)];
        int tasks = random.nextBoolean() ? 1 + random.nextInt(Math.max(1, 32 / procs)) : tasks(procs);
        long memory = procs * MEMORY_PER_PROC[random.nextInt(MEMORY_PER_PROC.length)];
        List<String> features = List.of();
        List<NameCount> gres = List.of();
        switch (random.nextInt(18)) {
            case 0 -> features = List.of("fast");
            case 1 -> {
                features = List.of("big");
                tasks = Math.min(tasks, 64);
                memory = Math.max(memory, 8_000L * procs);
            }
            case 2 -> {
                gres = List.of(new NameCount("gpu", 1L));
                procs = Math.min(procs, 8);
                tasks = Math.min(tasks, 32);
                memory = Math.min(memory, 60_000);
            }
            default -> {
                // Any node that is large enough.
            }
        }
        TaskRequirement requirement = TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setProcsPerTask(procs)
                .setMemoryMb(memory)
                .setFeatures(features)
                .setGres(gres)
                .setFewestNodes(fewestNodes)
                .build();
        long limit = random.nextInt(4) == 0
                ? 60L * (5 + random.nextInt(24 * 60 - 5))
                : LIMITS[random.nextInt(LIMITS.length)];
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(String.format(Locale.ROOT, "%09d", number))
                .setQueueSequence(number++)
                .setUser("u" + random.nextInt(USERS))
                .setState(JobState.IDLE)
                .setTasks(tasks)
                .setProcsPerTask(procs)
                .setRequirements(List.of(requirement))
                .setWalltimeSeconds(limit)
                .setSubmitTime(submit)
                .setAsOfCommand(Long.MAX_VALUE)
                .build();
    }

    /** Returns how long a job with that limit really runs. */
    long runSeconds(long limit) {
        return random.nextInt(4) == 0 ? limit : 1 + (long) (random.nextDouble() * limit);
    }

    private int tasks(int procs) {
        int nodes = 1 << random.nextInt(7);
        return nodes * Math.max(1, 32 / procs);
    }
}
