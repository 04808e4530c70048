package io.weir.rm.simulated;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.trace.TraceJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job in the queue, on the machine, or ended but still remembered. Changed only by {@link SimulatedCluster}.
 *
 * <pre>
 *   HOLD &lt;──&gt; IDLE ──&gt; RUNNING &lt;──&gt; SUSPENDED
 *     └─────────┼── requeue ─┴───────────┘
 *               └─ cancel ──&gt; COMPLETED | CANCELLED | FAILED
 * </pre>
 */
final class SimulatedJob {
    private final TraceJob job;
    private final String cluster;
    private final long base;
    private JobState state = JobState.IDLE;

    /** Where it runs, or ran when it ended; null while it waits. */
    private @Nullable JobAllocation placement;

    /** Seconds on the workload's clock; meaningful with a placement. */
    private long start;

    private @Nullable ExitReason ending;
    private long end;

    /** Seconds it was suspended since its start. */
    private long suspended;

    /** Since when it is suspended; meaningful while it is. */
    private long suspendedSince;

    /** Limit in seconds for its next start; what its user asked for until a command changes it. */
    private long estimate;

    /** How often its end was planned: tells an earlier plan from the present one. */
    private int plans;

    /** The report of the present state, made when first asked for. */
    private @Nullable JobReport report;

    SimulatedJob(TraceJob job, String cluster, long base) {
        this.job = job;
        this.cluster = cluster;
        this.base = base;
        this.estimate = job.estimate();
    }

    TraceJob trace() {
        return job;
    }

    String id() {
        return job.id();
    }

    JobState state() {
        return state;
    }

    boolean waits() {
        return state == JobState.IDLE || state == JobState.HOLD;
    }

    boolean runs() {
        return state == JobState.RUNNING;
    }

    /** Says whether it has nodes. */
    boolean holdsNodes() {
        return state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    int plans() {
        return plans;
    }

    long estimate() {
        return estimate;
    }

    @Nullable
    JobAllocation placement() {
        return placement;
    }

    /** Returns where it runs or ran; empty while it waits. */
    List<NodeAllocation> allocation() {
        return placement == null ? List.of() : placement.allocation();
    }

    /** Returns when it ends if nothing interferes, and how. */
    long plannedEnd() {
        return placement == null ? Long.MAX_VALUE : start + suspended + Math.min(job.run(), placement.limit());
    }

    /** Returns how it ends if nothing interferes. */
    ExitReason plannedEnding() {
        return placement != null && job.run() > placement.limit() ? ExitReason.AT_LIMIT : ExitReason.COMPLETED;
    }

    void start(long now, JobAllocation where) {
        placement = where;
        start = now;
        suspended = 0;
        plans++;
        become(JobState.RUNNING);
    }

    void end(long now, ExitReason how) {
        ending = how;
        end = now;
        become(how.state());
    }

    void requeue() {
        placement = null;
        become(JobState.IDLE);
    }

    void suspend(long now) {
        suspendedSince = now;
        become(JobState.SUSPENDED);
    }

    void resume(long now) {
        suspended += now - suspendedSince;
        plans++;
        become(JobState.RUNNING);
    }

    /** Has it end at another limit, now if it runs, and from its next start on. */
    void limit(long seconds) {
        estimate = seconds;
        if (placement != null) {
            placement = placement.limitedTo(seconds);
        }
        plans++;
        become(state);
    }

    /** Gives it other nodes while it runs. */
    void move(JobAllocation where) {
        placement = where;
        become(state);
    }

    void hold() {
        become(JobState.HOLD);
    }

    void release() {
        become(JobState.IDLE);
    }

    private void become(JobState next) {
        state = next;
        report = null;
    }

    /** Returns the report of the present state; the same object until the state changes. */
    JobReport report() {
        if (report == null) {
            report = makeReport();
        }
        return report;
    }

    private JobReport makeReport() {
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(job.id())
                .setQueueSequence(job.sequence())
                .setName(job.jobName())
                .setUser(job.userName())
                .setGroup(job.groupName())
                .setJobClass(job.className())
                .setState(state)
                .setTasks(job.procs())
                .setProcsPerTask(1)
                .setWalltimeSeconds(estimate)
                .setSubmitTime(instant(job.submit()))
                .setStartTime(placement == null ? null : instant(start))
                .setEndTime(ending == null ? null : instant(end))
                .setAllocation(holdsNodes() ? sorted(allocation()) : List.of())
                .setExitCode(ending == null ? null : ending.exitCode())
                .setReason(ending == null || ending.reason().isEmpty() ? null : ending.reason())
                .build();
    }

    private static List<NodeAllocation> sorted(List<NodeAllocation> allocation) {
        return allocation.stream()
                .sorted(Comparator.comparing(NodeAllocation::getNodeId))
                .toList();
    }

    private Instant instant(long second) {
        return Instant.ofEpochSecond(base + second);
    }
}
