package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** When and where a job could start: two processors, of which n1's is taken until 100. */
@NullUnmarked
class StartEstimatorTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1).running("r", 1, "n1", 0, 100);

    private StartEstimator estimator() {
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.reset(0, SitePolicy.DEFAULT);
        return new StartEstimator(plan, null, cluster.jobs, cluster.reservations, 0);
    }

    private Job reserved(String id, long start, String node) {
        Job job = cluster.waiting(id, 1, 50);
        List<TaskPlacement> on = node == null ? List.of() : List.of(new TaskPlacement(node, 0, 1));
        cluster.reservations.put(Reservation.of(job, start, on, 1));
        return job;
    }

    @Test
    void shouldSayWhereAJobCouldStartNow() {
        Job job = cluster.waiting("job", 1, 60);

        assertThat(estimator().present(job)).isEqualTo(new StartEstimator.Place(0, List.of(1), 1));
    }

    @Test
    void shouldSayThatAJobCouldStartNowhereNow() {
        assertThat(estimator().present(cluster.waiting("job", 2, 60))).isNull();
    }

    @Test
    void shouldSayWhenAndWhereAJobCouldStartAtTheEarliest() {
        StartEstimator.Place place = estimator().earliest(cluster.waiting("job", 2, 60));

        assertThat(place.start()).isEqualTo(100);
        assertThat(place.positions()).containsExactlyInAnyOrder(0, 1);
        assertThat(place.tasks()).isEqualTo(2);
    }

    @Test
    void shouldNameANodeOnceHoweverManyTasksItTakes() {
        cluster.node("large", 4, 0, "DEFAULT");

        StartEstimator.Place place = estimator().earliest(cluster.waiting("job", 5, 60));

        assertThat(place.positions()).containsExactlyInAnyOrder(1, 2);
        assertThat(place.tasks()).isEqualTo(5);
    }

    @Test
    void shouldSayThatAJobCouldStartNever() {
        assertThat(estimator().earliest(cluster.waiting("job", 3, 60))).isNull();
    }

    @Test
    void shouldStartNoJobBeforeItIsEligible() {
        Job later = cluster.waiting("later", 1, 60).edit().notBefore(30).done();

        assertThat(estimator().earliest(later).start()).isEqualTo(30);
    }

    @Test
    void shouldKeepWhatOtherJobsHaveReserved() {
        reserved("held", 0, "n2");
        Job job = cluster.waiting("job", 1, 60);

        assertThat(estimator().keepingReservations(null).earliest(job).start()).isEqualTo(50);
    }

    @Test
    void shouldNotKeepTheReservationOfTheJobInQuestion() {
        Job held = reserved("held", 0, "n2");

        assertThat(estimator().keepingReservations("held").earliest(held).start())
                .isZero();
    }

    @Test
    void shouldPlaceAReservationAnewWhoseNodesAreUnknown() {
        reserved("held", 10, null);
        Job job = cluster.waiting("job", 1, 60);

        assertThat(estimator().keepingReservations(null).earliest(job).start()).isEqualTo(60);
    }

    @Test
    void shouldGiveJobsAheadTheirSlots() {
        cluster.waiting("ahead", 2, 50);
        Job job = cluster.waiting("job", 1, 120);
        StartEstimator estimator = estimator();

        assertThat(estimator.behindTheQueue(job, Long.MAX_VALUE)).isZero();

        assertThat(estimator.earliest(job).start()).isEqualTo(150);
    }

    @Test
    void shouldLeaveOutJobsBehindTheOneInQuestion() {
        Job job = cluster.waiting("job", 1, 120);
        cluster.waiting("behind", 2, 50);
        StartEstimator estimator = estimator();

        assertThat(estimator.behindTheQueue(job, Long.MAX_VALUE)).isZero();

        assertThat(estimator.earliest(job).start()).isZero();
    }

    @Test
    void shouldLeaveOutJobsAheadThatAreNotEligibleYet() {
        cluster.jobs.put(cluster.waiting("later", 2, 50).edit().notBefore(1).done());
        cluster.jobs.put(cluster.waiting("now", 1, 30).edit().notBefore(0).done());
        Job job = cluster.waiting("job", 1, 40);
        StartEstimator estimator = estimator();

        estimator.behindTheQueue(job, Long.MAX_VALUE);

        assertThat(estimator.earliest(job).start()).isEqualTo(30);
    }

    @Test
    void shouldSayHowManyJobsAheadItLeftOutBecauseTheAnswerGrewTooDear() {
        cluster.waiting("a", 2, 50);
        cluster.waiting("b", 2, 50);
        cluster.waiting("c", 2, 50);
        Job job = cluster.waiting("job", 1, 120);
        StartEstimator estimator = estimator();
        assertThat(estimator.behindTheQueue(job, estimator.looks())).isEqualTo(3);

        assertThat(estimator.behindTheQueue(job, estimator.looks() + 1)).isEqualTo(2);
    }

    @Test
    void shouldCountWhatAnAnswerCosts() {
        Job job = cluster.waiting("job", 1, 60);
        StartEstimator estimator = estimator();
        assertThat(estimator.looks()).as("the plan itself, twice its nodes").isEqualTo(4);

        estimator.present(job);
        assertThat(estimator.looks()).as("ten for a job, and the open nodes").isEqualTo(15);

        estimator.windows();
        assertThat(estimator.looks()).as("all nodes").isEqualTo(17);

        estimator.earliest(job);
        assertThat(estimator.looks()).as("ten for a job, and its search").isGreaterThan(27);
    }

    @Test
    void shouldCountWhatJobsAheadAndReservationsCost() {
        reserved("held", 0, "n2");
        Job job = cluster.waiting("job", 1, 60);
        StartEstimator estimator = estimator();

        estimator.keepingReservations(null);
        assertThat(estimator.looks()).as("one for the slot, one for its node").isEqualTo(6);

        estimator.behindTheQueue(job, Long.MAX_VALUE);
        assertThat(estimator.looks()).as("ten for the job ahead, and its node").isGreaterThanOrEqualTo(17);
    }

    @Test
    void shouldNotCountWhatQuestionsBeforeItCost() {
        Job job = cluster.waiting("job", 1, 60);
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.reset(0, SitePolicy.DEFAULT);
        plan.earliest(job, 10);
        assertThat(plan.looks()).isPositive();

        StartEstimator estimator = new StartEstimator(plan, null, cluster.jobs, cluster.reservations, 0);

        assertThat(estimator.looks()).isEqualTo(4);
    }

    @Test
    void shouldListTheWindowsThatBeginNow() {
        assertThat(estimator().windows()).containsExactly(new Window(1, Long.MAX_VALUE));
    }

    @Test
    void shouldGiveNoMoreThanAThousandJobsAheadTheirSlots() {
        for (int i = 0; i < 1_001; i++) {
            cluster.waiting("ahead" + i, 1, 10);
        }
        Job job = cluster.waiting("job", 1, 60);

        assertThat(estimator().behindTheQueue(job, Long.MAX_VALUE)).isEqualTo(1);
    }
}
