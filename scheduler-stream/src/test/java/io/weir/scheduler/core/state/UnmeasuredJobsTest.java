package io.weir.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.TestJob;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of connector rm that started before and after its last complete poll. Times are epoch seconds. */
class UnmeasuredJobsTest {
    private final JobTable jobs = new JobTable();
    private final DomainState domain = new DomainState();
    private final UnmeasuredJobs unmeasured = new UnmeasuredJobs(jobs, domain);

    private void polled(String connector, long at) {
        domain.connectors.put(
                connector, new ConnectorState(connector, 1, 1, Instant.ofEpochSecond(at), 0, 0, false, 0, false));
    }

    private Job running(String id, long start) {
        Job job = TestJob.running(id, start, report -> {}, new NodeAllocation("n1", 1));
        jobs.put(job);
        return job;
    }

    private List<String> at(long now) {
        return unmeasured.at(now).stream().map(Job::id).sorted().toList();
    }

    @Test
    void shouldBeThoseThatStartedSinceTheLastPoll() {
        polled("rm", 100);
        running("before", 99);
        running("with", 100);
        running("after", 150);

        assertThat(at(200)).containsExactly("after", "with");
        polled("rm", 151);
        assertThat(at(200)).isEmpty();
    }

    @Test
    void shouldCountByThePollOfTheirOwnConnector() {
        polled("rm", 100);
        polled("other", 50);
        running("measured", 60);
        running("late", 160);

        assertThat(at(200)).containsExactly("late");
    }

    @Test
    void shouldTakeAJobForMeasuredWhereNothingWasPolledUnlessItStartsNow() {
        running("earlier", 199);
        running("now", 200);

        assertThat(at(200)).containsExactly("now");
    }

    @Test
    void shouldNotHoldAPollThatIsAheadOfTheClockAgainstAJob() {
        polled("rm", 300);
        running("now", 200);

        assertThat(at(200)).containsExactly("now");
    }

    @Test
    void shouldSayWhetherTheyAreTheSameAsInTheLastPassAndThoseThatItStarted() {
        polled("rm", 100);
        Job first = running("first", 150);
        assertThat(unmeasured.isLast(unmeasured.at(160))).isFalse();
        unmeasured.begin(unmeasured.at(160));
        assertThat(unmeasured.isLast(unmeasured.at(161))).isTrue();

        Job second = running("second", 161);
        assertThat(unmeasured.isLast(unmeasured.at(161))).isFalse();
        unmeasured.started(second);

        assertThat(unmeasured.isLast(List.of(second, first))).isTrue();
        polled("rm", 155);
        assertThat(unmeasured.isLast(unmeasured.at(162))).isFalse();
    }
}
