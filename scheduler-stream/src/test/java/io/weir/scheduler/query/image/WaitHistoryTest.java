package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobState;
import org.junit.jupiter.api.Test;

/** What is remembered of jobs that started. */
class WaitHistoryTest {
    private final WaitHistory history = new WaitHistory();

    private void started(int procs, long walltime, long waited) {
        history.started(ImageFixture.job("1", JobState.RUNNING, walltime)
                .setTasks(procs)
                .setStartTime(ImageFixture.NOW.plusSeconds(waited))
                .build());
    }

    @Test
    void shouldKeepTheMedianOfJobsThatAreAlike() {
        started(5, 3600, 10);
        started(8, 4000, 30);
        started(7, 2100, 20);
        started(1, 60, 0);

        assertThat(history.kinds())
                .containsExactly(new WaitHistory.Kind(1, 64, 1, 0), new WaitHistory.Kind(8, 4096, 3, 20));
    }

    @Test
    void shouldForgetTheOldest() {
        started(1, 60, 0);
        for (int i = 0; i < 2_000; i++) {
            started(2, 60, 5);
        }

        assertThat(history.kinds()).containsExactly(new WaitHistory.Kind(2, 64, 2_000, 5));
    }
}
