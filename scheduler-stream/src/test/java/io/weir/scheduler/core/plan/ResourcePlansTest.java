package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ResourcePlansTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 2);
    private final ResourcePlans plans =
            new ResourcePlans(cluster.jobs, cluster.nodes, cluster.reservations, cluster.access, cluster.placement);

    @Test
    void shouldCountProcessorsWhereThatIsExact() {
        ResourcePlan plan = plans.choose(SitePolicy.DEFAULT, false);

        assertThat(plan).isSameAs(plans.initial());
        assertThat(plans.followsNodes(plan)).isFalse();
    }

    @Test
    void shouldFollowNodesWhereSlotsNameThem() {
        assertThat(plans.followsNodes(plans.choose(SitePolicy.DEFAULT, true))).isTrue();
    }

    @Test
    void shouldFollowNodesWhereTheyAreReserved() {
        cluster.reserved("r", "USER==ann", 0, 100, 2, "n1");

        assertThat(plans.followsNodes(plans.choose(SitePolicy.DEFAULT, false))).isTrue();
    }

    @Test
    void shouldFollowNodesThatAreNotAlike() {
        cluster.node("n3", 2, 0, "other");

        assertThat(plans.followsNodes(plans.choose(SitePolicy.DEFAULT, false))).isTrue();
    }

    @Test
    void shouldFollowNodesFromNowOnWhenTold() {
        plans.followNodes();

        assertThat(plans.followsNodes(plans.choose(SitePolicy.DEFAULT, false))).isTrue();
    }

    @Test
    void shouldEstimateStartsOnWhatIsFree() {
        cluster.running("a", 4, "n1", 0, 100);
        Job job = cluster.waiting("job", 4, 60);
        StartEstimator estimator = plans.startEstimator(50, SitePolicy.DEFAULT);

        assertThat(Objects.requireNonNull(estimator.earliest(job)).start()).isEqualTo(100);
    }

    @Test
    void shouldKeepJobsInsideTheSetsOfThePlanThatFollowsNodes() {
        assertThat(plans.nodeSets()).isSameAs(((NodePlan) plans.choose(SitePolicy.DEFAULT, true)).nodeSets());
    }
}
