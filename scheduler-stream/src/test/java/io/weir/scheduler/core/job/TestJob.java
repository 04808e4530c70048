package io.weir.scheduler.core.job;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Makes single jobs of ann's. Times are epoch seconds; jobs were submitted at 0. */
public final class TestJob {
    static {
        AvroTrust.install();
    }

    private TestJob() {}

    /** Returns a waiting job of one single-processor task of 100 s, unless {@code more} says otherwise. */
    public static Job waiting(String id, Consumer<JobReport.Builder> more) {
        return edit(id, more).done();
    }

    /** Returns the same as a job that runs on {@code nodes} since {@code start}. */
    public static Job running(String id, long start, Consumer<JobReport.Builder> more, NodeAllocation... nodes) {
        return edit(id, more).running(JobState.RUNNING, start, List.of(nodes)).done();
    }

    private static JobEdit edit(String id, Consumer<JobReport.Builder> more) {
        JobReport.Builder report = JobReport.newBuilder()
                .setCluster("c")
                .setJobId(id)
                .setQueueSequence(0)
                .setUser("ann")
                .setState(JobState.IDLE)
                .setTasks(1)
                .setProcsPerTask(1)
                .setWalltimeSeconds(100L)
                .setSubmitTime(Instant.EPOCH)
                .setStartTime(null)
                .setEndTime(null)
                .setAllocation(List.of())
                .setAsOfCommand(0);
        more.accept(report);
        JobRequest request = JobRequest.from(report.build(), "rm");
        return JobEdit.submitted(request).effectiveQos(request.credentials().qos());
    }
}
