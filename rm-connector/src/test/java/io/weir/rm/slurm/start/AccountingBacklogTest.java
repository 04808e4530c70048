package io.weir.rm.slurm.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccountingBacklogTest {
    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    private final AccountingBacklog backlog = new AccountingBacklog();

    @Test
    void shouldTryEveryJobWhileNoneWasRefused() {
        assertThat(backlog.includes(submittedAt(1_000), NOW)).isFalse();
        assertThat(backlog.accepted(submittedAt(1_000))).isFalse();
    }

    @Test
    void shouldSpareJobsBehindOneThatIsNotRegistered() {
        backlog.refused(submittedAt(1_000), NOW);

        assertThat(backlog.includes(submittedAt(999), NOW)).isFalse();
        assertThat(backlog.includes(submittedAt(1_000), NOW)).isTrue();
        assertThat(backlog.includes(submittedAt(1_500), NOW.plusSeconds(19))).isTrue();
    }

    @Test
    void shouldTryTheNextAfterAWhile() {
        backlog.refused(submittedAt(1_000), NOW);

        assertThat(backlog.includes(submittedAt(1_500), NOW.plusSeconds(20))).isFalse();
    }

    @Test
    void shouldEndWithTheFirstOfItThatIsRegistered() {
        backlog.refused(submittedAt(1_000), NOW);

        assertThat(backlog.accepted(submittedAt(999))).isFalse();
        assertThat(backlog.includes(submittedAt(1_500), NOW)).isTrue();
        assertThat(backlog.accepted(submittedAt(1_000))).isTrue();
        assertThat(backlog.includes(submittedAt(1_500), NOW)).isFalse();
        assertThat(backlog.accepted(submittedAt(1_500))).isFalse();
    }

    /** When slurmctld stops while it has a job registered, it may never do so. */
    @Test
    void shouldNotGoByAJobWhoseRegistrationIsLost() {
        backlog.accepted(submittedAt(1_000));

        backlog.refused(submittedAt(900), NOW);

        assertThat(backlog.includes(submittedAt(950), NOW)).isFalse();
        assertThat(backlog.includes(submittedAt(1_500), NOW)).isFalse();
    }

    @Test
    void shouldKnowNothingOfAJobWithoutATimeOfSubmission() {
        backlog.refused(job("{\"job_id\":17}"), NOW);
        assertThat(backlog.includes(submittedAt(1_500), NOW)).isFalse();

        backlog.refused(submittedAt(1_000), NOW);
        assertThat(backlog.includes(job("{\"job_id\":17}"), NOW)).isFalse();
        assertThat(backlog.accepted(job("{\"job_id\":17}"))).isFalse();
    }

    private static SlurmJob submittedAt(long seconds) {
        return job("{\"job_id\":17,\"submit_time\":" + seconds + "}");
    }

    private static SlurmJob job(String json) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
