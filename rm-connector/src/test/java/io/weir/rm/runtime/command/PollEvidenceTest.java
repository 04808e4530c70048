package io.weir.rm.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.FakeResourceManager;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.CommandCheck.Verdict;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands are issued at second 900. */
class PollEvidenceTest {
    private final FakeResourceManager rm = new FakeResourceManager();

    @ParameterizedTest
    @CsvSource({
        "START_JOB, IDLE, 1000, NOT_DONE",
        "START_JOB, HOLD, 1000, NOT_DONE",
        "START_JOB, STARTING, 1000, ANSWERED",
        "START_JOB, RUNNING, 1000, ANSWERED",
        "START_JOB, COMPLETED, 1000, ANSWERED",
        "START_JOB, FAILED, 800, NOT_DONE",
        "CANCEL_JOB, RUNNING, 800, NOT_DONE",
        "CANCEL_JOB, CANCELLED, 800, ANSWERED",
        "CANCEL_JOB, COMPLETED, 800, ANSWERED",
        "REQUEUE_JOB, RUNNING, 800, NOT_DONE",
        "REQUEUE_JOB, RUNNING, 1000, ANSWERED",
        "REQUEUE_JOB, IDLE, 800, ANSWERED",
        "HOLD_JOB, IDLE, 800, NOT_DONE",
        "HOLD_JOB, HOLD, 800, ANSWERED",
        "RELEASE_JOB, HOLD, 800, NOT_DONE",
        "RELEASE_JOB, IDLE, 800, ANSWERED",
    })
    void shouldJudgeByTheStateOfTheJob(CommandKind kind, JobState state, long start, Verdict verdict) {
        rm.setNow(Instant.ofEpochSecond(start));
        rm.job("1", state);

        assertThat(PollEvidence.judge(Commands.command(1, kind, "1"), rm.poll()).verdict())
                .isEqualTo(verdict);
    }

    /** As with Grid Engine, which lists a job that it has cancelled only when it has written it to its accounting file. */
    @ParameterizedTest
    @EnumSource(
            names = {"START_JOB", "CANCEL_JOB", "REQUEUE_JOB", "HOLD_JOB", "RELEASE_JOB", "SUSPEND_JOB", "RESUME_JOB"})
    void shouldTakeAJobThatIsNotListedForCancelledAlone(CommandKind kind) {
        rm.setNow(Instant.ofEpochSecond(1_000));
        rm.job("1", JobState.RUNNING);

        CommandCheck check = PollEvidence.judge(Commands.command(1, kind, "2"), rm.poll());

        assertThat(check)
                .isEqualTo(
                        kind == CommandKind.CANCEL_JOB
                                ? CommandCheck.answered(RmAnswer.done(Instant.ofEpochSecond(1_000)))
                                : CommandCheck.notDone());
    }

    @Test
    void shouldNotSendSignalAgain() {
        rm.job("1", JobState.RUNNING);

        CommandCheck check = PollEvidence.judge(Commands.command(1, CommandKind.SIGNAL_JOB, "1"), rm.poll());

        assertThat(check.verdict()).isEqualTo(Verdict.ANSWERED);
        assertThat(check.answer()).extracting(RmAnswer::outcome).isEqualTo(CommandOutcome.REFUSED);
    }
}
