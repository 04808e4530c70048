package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a resource manager says of a job as of a time before its start is no evidence about the start. */
class AcceptedStartsTest {
    static {
        AvroTrust.install();
    }

    private static final Instant START = Instant.ofEpochSecond(1_000);
    private static final List<NodeAllocation> NODES = List.of(new NodeAllocation("n1", 4));

    private final AcceptedStarts starts = new AcceptedStarts();

    @BeforeEach
    void accept() {
        starts.done(command(CommandKind.START_JOB), RmAnswer.done(START.plusSeconds(1)), START);
    }

    @ParameterizedTest
    @EnumSource(names = {"IDLE", "HOLD"})
    void shouldNotTakeAnOlderReportForAFailedStart(JobState state) {
        JobReport report = settled(state, START.minusSeconds(1), START.plusSeconds(59));

        assertThat(report.getState()).isEqualTo(JobState.RUNNING);
        assertThat(report.getAllocation()).isEqualTo(NODES);
        assertThat(report.getStartTime()).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void shouldBelieveAReportThatIsNewer() {
        assertThat(settled(JobState.IDLE, START, START.plusSeconds(2)).getState())
                .isEqualTo(JobState.IDLE);
        assertThat(settled(JobState.IDLE, START.minusSeconds(1), START.plusSeconds(3))
                        .getState())
                .as("the start is settled")
                .isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldBelieveAReportThatDoesNotTellItsTime() {
        assertThat(settled(JobState.IDLE, null, START.plusSeconds(2)).getState())
                .isEqualTo(JobState.IDLE);
    }

    /** Some resource managers give the time of a job's last change, which never comes when it was not started. */
    @Test
    void shouldBelieveTheSameReportInTheEnd() {
        assertThat(settled(JobState.IDLE, START.minusSeconds(1), START.plusSeconds(60))
                        .getState())
                .isEqualTo(JobState.IDLE);
    }

    @ParameterizedTest
    @EnumSource(names = {"RUNNING", "COMPLETED", "CANCELLED"})
    void shouldBelieveWhatAWaitingJobCannotBe(JobState state) {
        assertThat(settled(state, START.minusSeconds(1), START.plusSeconds(2)).getState())
                .isEqualTo(state);
    }

    @Test
    void shouldForgetAStartThatAnotherCommandFollowed() {
        starts.done(command(CommandKind.REQUEUE_JOB), RmAnswer.done(START), START);

        assertThat(settled(JobState.IDLE, START.minusSeconds(1), START.plusSeconds(2))
                        .getState())
                .isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldForgetJobsThatAreGone() {
        starts.keep(Set.of("2"));

        assertThat(settled(JobState.IDLE, START.minusSeconds(1), START.plusSeconds(2))
                        .getState())
                .isEqualTo(JobState.IDLE);
    }

    private JobReport settled(JobState state, @Nullable Instant updated, Instant now) {
        JobReport report = JobReport.newBuilder()
                .setCluster("c1")
                .setJobId("1")
                .setQueueSequence(1)
                .setState(state)
                .setTasks(4)
                .setSubmitTime(Instant.EPOCH)
                .build();
        return starts.settled(report, true, updated, now);
    }

    private static RmCommand command(CommandKind kind) {
        return RmCommand.newBuilder(Commands.builder("c1", 1, kind, "1", START).build())
                .setAllocation(NODES)
                .build();
    }
}
