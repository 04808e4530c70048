package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What searches for jobs of several requirements may cost. All jobs of {@link TestCluster} are of one user. */
class SpreadEffortTest {
    private static final int NODES = 200;

    private final SpreadEffort effort = new SpreadEffort(800);
    private final TestCluster cluster = new TestCluster();
    private final Job job = spread("j", 2, 1);

    @Test
    void shouldLeaveASearchAQuarterAndAUserHalf() {
        effort.begin(List.of(), true);
        assertThat(effort.left(job)).isEqualTo(200);
        effort.count(job, 300);
        assertThat(effort.left(job)).isEqualTo(100);
        assertThat(effort.spent(job)).isFalse();
        effort.count(job, 150);
        assertThat(effort.left(job)).isZero();
        assertThat(effort.spent(job)).isTrue();
        assertThat(effort.spent(cluster.waiting("one", 1, 10)))
                .as("a job of one requirement")
                .isFalse();

        effort.begin(List.of(), true);
        assertThat(effort.left(job)).isEqualTo(200);
    }

    @Test
    void shouldSayWhenAnotherPlanCouldComeToALimit() {
        effort.begin(List.of(), true);
        effort.count(job, 100);
        assertThat(effort.notable()).isFalse();
        effort.count(job, 1);
        assertThat(effort.notable()).isTrue();
    }

    @Test
    void shouldCountWhatJobsAndSlotsTakeAndGiveBack() {
        cluster.nodes(3, 4).running("r", 2, "n1", 0, 100);
        effort.begin(cluster.jobs.active(), true);
        Slot slot = new Slot(50, 20, 2, List.of(new TaskShare(1, 0, 1), new TaskShare(2, 0, 1)), null);
        effort.move(slot, 1);

        assertThat(effort.cost(0, 49, 3)).isZero();
        assertThat(effort.cost(0, 50, 3)).isEqualTo(6);
        assertThat(effort.cost(50, Long.MAX_VALUE, 3)).isEqualTo(9);
        assertThat(effort.reach(0, 3, 11)).isEqualTo(69);
        assertThat(effort.reach(0, 3, 15)).isEqualTo(Long.MAX_VALUE);
        assertThat(effort.changes(0, 49)).isFalse();
        assertThat(effort.changes(69, 70)).isTrue();

        effort.move(slot, -1);
        assertThat(effort.changes(0, 99)).isFalse();
    }

    /** Each requirement finds room at once, all of them only when nearly everything has ended. */
    @Test
    void shouldEndSearchesThatCostTooMuch() {
        crowd();
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(spread("s" + i, 60, 12));
        }
        Job modest = spread("modest", 2, 1);
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        new NodeSets(cluster.nodes).configure(SitePolicy.DEFAULT);
        plan.reset(0, SitePolicy.DEFAULT);
        long before = plan.looks();
        for (Job each : jobs) {
            plan.earliest(each, 0);
        }

        assertThat(plan.looks() - before).isLessThan(SpreadEffort.MOST);
        assertThat(plan.spent(modest)).isTrue();
        assertThat(plan.laborious()).isTrue();
        assertThat(plan.now(modest)).as("starts now are still found").isNotNull();
        plan.reset(0, SitePolicy.DEFAULT);
        assertThat(plan.earliest(modest, 0)).isNotNull();
    }

    @Test
    void shouldSayHowManyJobsAheadWereLeftOutOfAnEstimate() {
        crowd();
        for (int i = 0; i < 5; i++) {
            spread("s" + i, 60, 12);
        }
        Job last = cluster.waiting("last", 1, 10);
        StartEstimator estimator = new ResourcePlans(
                        cluster.jobs, cluster.nodes, cluster.reservations, cluster.access, cluster.placement)
                .startEstimator(0, SitePolicy.DEFAULT);

        assertThat(estimator.behindTheQueue(last, Long.MAX_VALUE)).isBetween(1, 5);
    }

    private void crowd() {
        cluster.nodes(NODES, 4);
        for (int i = 1; i <= NODES; i++) {
            cluster.running("r" + i, 3, "n" + i, 0, 1_000 + 10L * i);
        }
    }

    private Job spread(String id, int requirements, int tasks) {
        Requirement[] asked = new Requirement[requirements];
        for (int i = 0; i < requirements; i++) {
            asked[i] = TestCluster.tasksWithMemory(tasks, 0);
        }
        return cluster.waiting(id, null, 5_000, asked);
    }
}
