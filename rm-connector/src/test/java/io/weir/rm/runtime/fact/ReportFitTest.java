package io.weir.rm.runtime.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.bound.FactBounds;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the scheduler would refuse does not keep the rest of a report from it. */
class ReportFitTest {
    static {
        AvroTrust.install();
    }

    private static final Instant TOO_LATE = Instant.ofEpochSecond(4_102_444_800L);

    private final ReportFit fit = new ReportFit();

    @Test
    void shouldReportTheStateOfANodeWithoutWhatBreaksABound() {
        NodeReport report = NodeReport.newBuilder(node())
                .setUpdateTime(TOO_LATE)
                .setFeatures(IntStream.range(0, 1_025).mapToObj(i -> "f" + i).toList())
                .setPartition("p")
                .build();

        NodeReport fitted = fit.fitted(report);

        assertThat(fitted)
                .isEqualTo(NodeReport.newBuilder(node()).setPartition("p").build());
        assertThat(fit.count()).isEqualTo(2);
        assertThat(fit.fitted(node())).isEqualTo(node());
        assertThat(fit.count()).isZero();
    }

    @Test
    void shouldReportARunningJobWhereItRuns() {
        JobReport report = JobReport.newBuilder(job(JobState.RUNNING))
                .setAllocation(List.of(new NodeAllocation("n1", 4)))
                .setStartAfter(TOO_LATE)
                .build();

        JobReport fitted = fit.fitted(report);

        assertThat(fitted.getState()).isEqualTo(JobState.RUNNING);
        assertThat(fitted.getAllocation()).isEqualTo(report.getAllocation());
        assertThat(fitted.getStartAfter()).isNull();
        assertThat(fitted.getProblems())
                .containsExactly("startAfter is 2100-01-01T00:00:00Z; 1970 to 2099 are allowed; left out");
    }

    /** It might start where it must not. */
    @Test
    void shouldHoldAWaitingJobThatCannotBeReportedAsItIs() {
        JobReport report = JobReport.newBuilder(job(JobState.IDLE))
                .setRequirements(List.of(TaskRequirement.newBuilder()
                        .setTasks(1)
                        .setProcsPerTask(1)
                        .setFeatures(List.of("x".repeat(257)))
                        .build()))
                .build();

        JobReport fitted = fit.fitted(report);

        assertThat(fitted.getState()).isEqualTo(JobState.HOLD);
        assertThat(fitted.getReason()).contains("requirements[0].features[0] has 257 characters");
        assertThat(FactBounds.of(fitted).check(fitted)).isNull();
    }

    @Test
    void shouldLeaveOutTheLongestOfTextsThatAreTooLongTogether() {
        JobReport report = JobReport.newBuilder(job(JobState.IDLE))
                .setHosts(Collections.nCopies(100_000, "host"))
                .setExtension("x".repeat(1_000))
                .build();

        JobReport fitted = fit.fitted(report);

        assertThat(fitted.getHosts()).isEmpty();
        assertThat(fitted.getExtension()).hasSize(1_000);
        assertThat(fitted.getState()).isEqualTo(JobState.HOLD);
    }

    /** Without it there is no report; the scheduler says why. */
    @Test
    void shouldLeaveAReportAloneThatCannotDoWithoutWhatBreaksABound() {
        JobReport report =
                JobReport.newBuilder(job(JobState.RUNNING)).setTasks(99_999_999).build();

        assertThat(fit.fitted(report).getTasks()).isEqualTo(99_999_999);
        assertThat(fit.count()).isEqualTo(1);
        fit.keep(List.of(node()), List.of());
        assertThat(fit.count()).isZero();
    }

    private static NodeReport node() {
        return NodeReport.newBuilder()
                .setCluster("c1")
                .setNodeId("n1")
                .setState(NodeState.DOWN)
                .setProcs(4)
                .build();
    }

    private static JobReport job(JobState state) {
        return JobReport.newBuilder()
                .setCluster("c1")
                .setJobId("1")
                .setQueueSequence(1)
                .setState(state)
                .setTasks(4)
                .setSubmitTime(Instant.EPOCH)
                .build();
    }
}
