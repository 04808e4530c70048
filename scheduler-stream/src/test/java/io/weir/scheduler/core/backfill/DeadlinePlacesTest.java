package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinePlacesTest {
    private final TestCluster cluster = new TestCluster().nodes(1, 1);
    private final DeadlinePlaces places = new DeadlinePlaces();

    private List<Job> jobs(int count) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(cluster.due("d" + i, 1, 10, 1_000));
        }
        return jobs;
    }

    @Test
    void shouldGiveOneUserHalfOfThePlaces() {
        List<Job> jobs = jobs(DeadlinePlaces.MOST);

        assertThat(jobs.stream().filter(places::take)).containsExactlyElementsOf(jobs.subList(0, 100));
        assertThat(places.open()).as("for another user").isTrue();
    }

    @Test
    void shouldLetAJobKeepItsPlaceThoughNoneIsFree() {
        List<Job> jobs = jobs(DeadlinePlaces.MOST + 2);
        jobs.subList(0, DeadlinePlaces.MOST).forEach(places::keep);
        places.keep(jobs.get(DeadlinePlaces.MOST));

        assertThat(places.open()).isFalse();
        assertThat(places.available(jobs.get(DeadlinePlaces.MOST))).isTrue();
        assertThat(places.take(jobs.get(DeadlinePlaces.MOST))).isTrue();
        assertThat(places.take(jobs.get(DeadlinePlaces.MOST + 1))).isFalse();
    }

    @Test
    void shouldBeginAPassWithAllPlacesFree() {
        List<Job> jobs = jobs(101);
        jobs.subList(0, 100).forEach(places::take);

        places.clear();

        assertThat(places.available(jobs.get(100))).isTrue();
        assertThat(places.holds(jobs.get(0))).isFalse();
    }
}
