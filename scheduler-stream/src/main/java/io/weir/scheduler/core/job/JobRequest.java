package io.weir.scheduler.core.job;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobStatus;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for.
 *
 * @param id unique in the cluster
 * @param connector connector that reports it; null for a foreign producer
 * @param queueSequence numeric order of submission
 * @param labels names attached to it
 * @param tasks tasks, at least 1
 * @param procsPerTask processors of each task, all on one node, at least 1
 * @param walltimeSeconds wallclock limit in seconds, at least 1
 * @param submit queue time, epoch seconds
 */
public record JobRequest(
        String id,
        @Nullable String connector,
        long queueSequence,
        JobLabels labels,
        int tasks,
        int procsPerTask,
        long walltimeSeconds,
        long submit) {
    /** Wallclock limit of a job that gives none, seconds. */
    public static final long DEFAULT_WALLTIME_SECONDS = 864_000;

    /** First come, first served: queue time, then sequence, then id. */
    public static final Comparator<JobRequest> QUEUE_ORDER = (a, b) -> {
        int order = Long.compare(a.submit, b.submit);
        if (order == 0) {
            order = Long.compare(a.queueSequence, b.queueSequence);
        }
        return order != 0 ? order : a.id.compareTo(b.id);
    };

    /** Reads the request out of a report that came through {@code connector}. */
    public static JobRequest from(JobReport report, @Nullable String connector) {
        Long walltime = report.getWalltimeSeconds();
        return new JobRequest(
                report.getJobId(),
                connector,
                report.getQueueSequence(),
                new JobLabels(
                        report.getName(),
                        report.getUser(),
                        report.getGroup(),
                        report.getAccount(),
                        report.getJobClass(),
                        report.getQos()),
                report.getTasks(),
                report.getProcsPerTask(),
                walltime == null ? DEFAULT_WALLTIME_SECONDS : walltime,
                report.getSubmitTime().getEpochSecond());
    }

    /** Reads the request out of a stored job. */
    static JobRequest from(JobStatus status) {
        return new JobRequest(
                status.getJobId(),
                status.getConnector(),
                status.getQueueSequence(),
                new JobLabels(
                        status.getName(),
                        status.getUser(),
                        status.getGroup(),
                        status.getAccount(),
                        status.getJobClass(),
                        status.getQos()),
                status.getTasks(),
                status.getProcsPerTask(),
                status.getWalltimeSeconds(),
                status.getSubmitTime().getEpochSecond());
    }

    /** Returns the processors of all tasks. */
    public int procs() {
        return tasks * procsPerTask;
    }
}
