package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GreedyBackfillTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 10).running("r", 10, "n1", 0, 100);
    private final GreedyBackfill greedy = new GreedyBackfill(BackfillMetric.PROCS);

    @Test
    void shouldStartTheJobsThatTogetherFillAWindow() {
        cluster.waiting("wide", 20, 500);
        cluster.waiting("seven", 7, 100);
        cluster.waiting("six", 6, 100);
        cluster.waiting("four", 4, 100);

        assertThat(new PassFixture(cluster).run(greedy))
                .containsExactly("reserve wide 100", "backfill six", "backfill four");
    }

    @Test
    void shouldTryEveryCombinationOfTwelveCandidates() {
        List<Job> jobs = new ArrayList<>(List.of(cluster.waiting("seven", 7, 100)));
        for (int i = 0; i < 11; i++) {
            jobs.add(cluster.waiting("five" + i, 5, 100));
        }

        assertThat(greedy.together(new Window(10, 100), jobs, new PassFixture(cluster).plan))
                .extracting(Job::id)
                .containsExactly("five0", "five1");
    }

    @Test
    void shouldTakeTheLargestFirstOfMoreThanTwelve() {
        List<Job> jobs = new ArrayList<>(List.of(cluster.waiting("seven", 7, 100), cluster.waiting("three", 3, 100)));
        for (int i = 0; i < 11; i++) {
            jobs.add(cluster.waiting("six" + i, 6, 100));
        }

        assertThat(greedy.together(new Window(10, 100), jobs, new PassFixture(cluster).plan))
                .extracting(Job::id)
                .containsExactly("seven", "three");
    }

    /** One node of 100 MB is free. */
    @Test
    void shouldChooseJobsThatFitTogetherHoweverManyThereAre() {
        TestCluster memory = new TestCluster().node("n1", 10, 100, "p");
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            jobs.add(memory.waiting("three" + i, null, 100, TestCluster.tasksWithMemory(3, 20)));
            jobs.add(memory.waiting("two" + i, null, 100, TestCluster.tasksWithMemory(2, 20)));
        }
        assertThat(chosen(memory, jobs)).containsExactly("three0", "two0");

        jobs.add(memory.waiting("four", null, 100, TestCluster.tasksWithMemory(4, 20)));
        assertThat(chosen(memory, jobs)).containsExactly("four");
    }

    /** Each asks for so much memory that four of them fit, of more than a thousand quintuples none. */
    @Test
    void shouldTakeTheLargestFirstWhereTooManyCombinationsDoNotFit() {
        TestCluster memory = new TestCluster().node("n1", 20, 100, "p");
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            jobs.add(memory.waiting("j" + i, null, 100, TestCluster.tasksWithMemory(1, 17)));
        }

        assertThat(chosen(memory, jobs)).hasSize(5);
    }

    private List<String> chosen(TestCluster other, List<Job> jobs) {
        PassFixture pass = new PassFixture(other);
        List<String> chosen = greedy.together(new Window(20, 100), jobs, pass.plan).stream()
                .map(Job::id)
                .toList();
        assertThat(pass.plan.now(jobs.get(0))).as("the plan is as it was").isNotNull();
        assertThat(pass.plan.windows()).hasSize(1);
        return chosen;
    }

    @Test
    void shouldChooseNothingAmongNone() {
        assertThat(greedy.together(new Window(10, 100), List.of(), new PassFixture(cluster).plan))
                .isEmpty();
    }
}
