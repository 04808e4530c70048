package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import org.junit.jupiter.api.Test;

class ProcessorCountPlanTest extends ResourcePlanContract {
    @Override
    ResourcePlan plan(TestCluster cluster) {
        return new ProcessorCountPlan(cluster.jobs, cluster.nodes);
    }

    @Test
    void shouldNameNoNodes() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job job = cluster.waiting("job", 2, 10);
        ResourcePlan plan = plan(cluster);
        plan.reset(0, SitePolicy.DEFAULT);

        assertThat(plan.now(job)).isEqualTo(Slot.counted(0, 10, 2));
        assertThat(plan.namesLate()).isFalse();
    }

    @Test
    void shouldCountProcessorsOfWideNodes() {
        TestCluster cluster = new TestCluster().nodes(2, 4).running("a", 3, "n1", 0, 100);
        Job job = cluster.waiting("job", 6, 10);
        ResourcePlan plan = plan(cluster);
        plan.reset(0, SitePolicy.DEFAULT);

        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 0)).isEqualTo(Slot.counted(100, 10, 6));
        assertThat(plan.milliEquivalents(job)).isEqualTo(6000);
    }
}
