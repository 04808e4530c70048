package io.weir.scheduler.query.image;

import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Where a job stands as its record on the topic of jobs tells it: whether it runs or waits, what it takes and till when. */
public final class JobStanding {
    private static final Set<JobState> ACTIVE = EnumSet.of(JobState.STARTING, JobState.RUNNING, JobState.SUSPENDED);
    private static final Set<JobState> WAITING = EnumSet.of(JobState.IDLE, JobState.HOLD, JobState.UNKNOWN);

    private JobStanding() {}

    /** Processors a job holds, or asks for while it holds none. */
    public static int procs(JobStatus job) {
        return job.getAllocation().isEmpty()
                ? job.getTasks() * job.getProcsPerTask()
                : job.getAllocation().stream()
                        .mapToInt(NodeAllocation::getProcs)
                        .sum();
    }

    /** When a job reaches its limit at the latest; counted from {@code now} while it has not started. */
    public static Instant end(JobStatus job, Instant now) {
        return Objects.requireNonNullElse(job.getStartTime(), now).plusSeconds(job.getWalltimeSeconds());
    }

    /** Says whether a job holds processors. */
    public static boolean isActive(JobStatus job) {
        return ACTIVE.contains(job.getState());
    }

    /** Says whether a job waits, be it for processors or for something else. */
    public static boolean isWaiting(JobStatus job) {
        return WAITING.contains(job.getState());
    }

    /** Says whether a waiting job waits for something else than processors. */
    public static boolean isBlocked(JobStatus job, Instant now) {
        Instant notBefore = job.getNotBefore();
        return job.getHeld() || job.getState() != JobState.IDLE || (notBefore != null && notBefore.isAfter(now));
    }
}
