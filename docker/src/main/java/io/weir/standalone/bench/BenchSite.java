package io.weir.standalone.bench;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.time.Instant;
import java.util.List;

/**
 * The machine that {@link LatencyBench} plays. While jobs wait, every other node is busy for days, and each of those jobs asks
 * for more processors than the rest has: they keep their place in the queue, and what the bench submits backfills.
 *
 * @param nodes number of nodes, of {@value #PROCS} processors each
 * @param jobsWaiting how many jobs wait all the time
 * @param measuredPerSecond how many nodes a second, one after the other, report another load and other free memory; 0 where
 *     neither is measured
 */
public record BenchSite(int nodes, int jobsWaiting, int measuredPerSecond) {
    static final int PROCS = 4;

    private static final long MEMORY_MB = 16_384;
    private static final long LARGE_PRIME = 2_147_483_647;
    private static final long HOUR_SECONDS = 3_600;
    private static final long DAY_SECONDS = 86_400;
    private static final long BUSY_SECONDS = 10 * DAY_SECONDS;

    /** Jobs that wait differ by up to so many processors and so many hours. */
    private static final int SIZES = 500;

    private static final int HOURS = 48;

    /** A site of the usual size, with an empty queue. */
    public static final BenchSite USUAL = new BenchSite(500, 0, 0);

    static String nodeId(int index) {
        return String.format("n%05d", index + 1);
    }

    NodeReport node(int index) {
        return NodeReport.newBuilder()
                .setCluster(LatencyBench.CLUSTER)
                .setNodeId(nodeId(index))
                .setIndex(index)
                .setState(isBusy(index) ? NodeState.BUSY : NodeState.IDLE)
                .setProcs(PROCS)
                .build();
    }

    /** Returns what node {@code index} reports the {@code time}-th time it is measured. */
    NodeReport measured(int index, long time) {
        long draw = (index + time) * LARGE_PRIME;
        return NodeReport.newBuilder(node(index))
                .setMemoryMb(MEMORY_MB)
                .setAvailableMemoryMb(MEMORY_MB - Math.floorMod(draw, MEMORY_MB / 2))
                .setLoad(Math.floorMod(draw, PROCS * 10) / 20.0)
                .build();
    }

    /** Says whether a job runs on node {@code index} all the time. */
    boolean isBusy(int index) {
        return jobsWaiting > 0 && index % 2 == 0;
    }

    /** Returns the job that keeps node {@code index} busy. */
    JobReport busy(int index, Instant now) {
        return job("busy" + index, index + 1L, PROCS, BUSY_SECONDS, now)
                .setState(JobState.RUNNING)
                .setStartTime(now)
                .setAllocation(List.of(new NodeAllocation(nodeId(index), PROCS)))
                .build();
    }

    /** Returns job {@code number}, counted from 0, of those that wait. */
    JobReport waiting(int number, Instant now) {
        int most = nodes * PROCS;
        int idle = most / 2;
        int tasks = most - number % Math.max(1, Math.min(SIZES, most - idle));
        long walltime = DAY_SECONDS + number % HOURS * HOUR_SECONDS;
        return job("wait" + number, (long) nodes + number + 1, tasks, walltime, now)
                .setState(JobState.IDLE)
                .build();
    }

    private static JobReport.Builder job(String id, long sequence, int tasks, long seconds, Instant now) {
        return JobReport.newBuilder()
                .setCluster(LatencyBench.CLUSTER)
                .setJobId(id)
                .setQueueSequence(sequence)
                .setUser("bench")
                .setTasks(tasks)
                .setWalltimeSeconds(seconds)
                .setSubmitTime(now);
    }
}
