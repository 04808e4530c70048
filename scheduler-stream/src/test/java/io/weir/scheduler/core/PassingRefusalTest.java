package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import org.junit.jupiter.api.Test;

/** Starts refused for something that ends by itself. */
class PassingRefusalTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private void refuse(boolean passing) {
        refuse(passing, false);
    }

    private void refuse(boolean passing, boolean aboutJob) {
        RmCommand start = weir.lastCommands().get(0);
        weir.fact(new CommandResult(
                "c",
                "rm",
                start.getNumber(),
                start.getCommandId(),
                "j",
                CommandOutcome.REFUSED,
                null,
                "Licenses",
                passing,
                aboutJob));
    }

    @Test
    void shouldNeverDeferAJobForWhatPasses() {
        weir.policy("DEFERSTARTCOUNT 1").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        for (int attempt = 1; attempt <= 5; attempt++) {
            refuse(true);
            assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);
            assertThat(weir.job("j").getStartFailures()).isZero();
            weir.iterateSilently(4L * attempt);
            assertThat(weir.job("j").getState()).as("attempt %d", attempt).isEqualTo(JobState.STARTING);
        }
        refuse(false);
        assertThat(weir.job("j").getStartFailures()).isEqualTo(1);
        weir.iterateSilently(24);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldSuspectTheOnlyNodeOfAJobUnlessTheJobIsToBlame() {
        weir.policy("DEFERSTARTCOUNT 1\nNODEFAILURERESERVETIME 300").nodes(1, 1);
        weir.submit("j", 1, HOUR).iterateSilently(0);
        refuse(false, true);
        weir.submit("other", 1, 10).iterateSilently(1);
        assertThat(weir.started()).containsExactly("other");

        weir.end("other", 2).iterateSilently(100);
        refuse(false, false);
        weir.submit("third", 1, 10).iterateSilently(101);
        assertThat(weir.started()).isEmpty();
    }
}
