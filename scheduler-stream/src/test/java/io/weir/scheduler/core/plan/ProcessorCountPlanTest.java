package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProcessorCountPlanTest extends ResourcePlanContract {
    private static final long NOW = 1_000;
    private static final SitePolicy PATIENT =
            TestCluster.policy("NODEBUSYSTATEDELAYTIME 00:02:00", "NODEDOWNSTATEDELAYTIME 00:10:00");

    @Override
    ResourcePlan plan(TestCluster cluster) {
        return new ProcessorCountPlan(cluster.jobs, cluster.nodes);
    }

    private ResourcePlan reset(TestCluster cluster) {
        ResourcePlan plan = plan(cluster);
        plan.reset(NOW, PATIENT);
        return plan;
    }

    /** Returns when so many processors are free for a minute at the earliest; null for never. */
    private static @Nullable Long free(TestCluster cluster, ResourcePlan plan, int procs) {
        Slot slot = plan.earliest(cluster.waiting("probe" + procs, procs, 60), NOW);
        return slot == null ? null : slot.start();
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

    /** What no job holds there is to be had after the delay of two minutes, what jobs hold at their ends. */
    @Test
    void shouldHaveTheProcessorsOfABusyNodeOnceItsDelayIsOver() {
        TestCluster cluster = new TestCluster()
                .nodes(1, 2)
                .node("n2", 3, node -> node.setState(NodeState.BUSY))
                .running("soon", 1, "n2", NOW - 10, 60)
                .running("late", 1, "n2", NOW - 10, 510);
        ResourcePlan plan = reset(cluster);

        assertThat(free(cluster, plan, 2)).isEqualTo(NOW);
        assertThat(free(cluster, plan, 3)).isEqualTo(NOW + 50);
        assertThat(free(cluster, plan, 4)).isEqualTo(NOW + 120);
        assertThat(free(cluster, plan, 5)).isEqualTo(NOW + 500);
        assertThat(free(cluster, plan, 6)).isNull();
    }

    @Test
    void shouldHaveTheProcessorsOfABusyNodeAfterTheLastJobGaveBackItsOwn() {
        TestCluster cluster = new TestCluster()
                .nodes(1, 2)
                .node("n2", 3, node -> node.setState(NodeState.BUSY))
                .running("soon", 1, "n1", NOW - 10, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(free(cluster, plan, 2)).isEqualTo(NOW + 50);
        assertThat(free(cluster, plan, 5)).isEqualTo(NOW + 120);
    }

    /** Back in ten minutes: with it what a job gives back before that, at its own end what another gives back later. */
    @Test
    void shouldHaveAnAwaitedNodeWhenItIsExpectedBack() {
        TestCluster cluster = new TestCluster();
        cluster.nodes.configure(PATIENT);
        cluster.nodes(1, 2)
                .node("n2", 4, node -> node.setState(NodeState.DOWN))
                .running("soon", 1, "n2", NOW - 10, 60)
                .running("late", 1, "n2", NOW - 10, 710);
        ResourcePlan plan = reset(cluster);

        assertThat(free(cluster, plan, 2)).isEqualTo(NOW);
        assertThat(free(cluster, plan, 3)).isEqualTo(NOW + 600);
        assertThat(free(cluster, plan, 5)).isEqualTo(NOW + 600);
        assertThat(free(cluster, plan, 6)).isEqualTo(NOW + 700);
        assertThat(free(cluster, plan, 7)).isNull();
    }

    @Test
    void shouldNotWaitForANodeThatNobodyExpectsBack() {
        TestCluster cluster = new TestCluster()
                .nodes(1, 2)
                .node("n2", 4, node -> node.setState(NodeState.DOWN))
                .running("a", 1, "n2", NOW, 100);

        assertThat(free(cluster, reset(cluster), 3)).isNull();
    }

    /** It asked for four processors, two of them on a node that failed and is back. */
    @Test
    void shouldGetBackNoMoreThanAJobHoldsThatLostANode() {
        Job job = TestJob.running(
                        "a", NOW, report -> report.setTasks(4).setWalltimeSeconds(100L), new NodeAllocation("n1", 2))
                .edit()
                .failed(new FailedNodes(List.of(new FailedNode("n2", 2, false, NOW))))
                .done();
        TestCluster cluster = new TestCluster().nodes(2, 2).job(job);
        ResourcePlan plan = reset(cluster);

        assertThat(free(cluster, plan, 4)).isEqualTo(NOW + 100);
        assertThat(free(cluster, plan, 5)).isNull();
    }

    @Test
    void shouldCallNoJobOutOfReachThatTheFreeProcessorsHold() {
        TestCluster cluster = new TestCluster().nodes(3, 1).running("a", 1, "n1", NOW, 100);
        Job two = cluster.waiting("two", 2, 10);
        Job three = cluster.waiting("three", 3, 10);
        Job four = cluster.waiting("four", 4, 10);
        ResourcePlan plan = reset(cluster);

        assertThat(outOfReach(cluster, plan, two)).isFalse();
        assertThat(outOfReach(cluster, plan, three)).isTrue();
        assertThat(outOfReach(cluster, plan, four)).as("not possible at all").isFalse();
    }

    @Test
    void shouldNotReadWhatAnotherPlanNoted() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        cluster.waiting("job", 2, 10);
        ResourcePlan plan = reset(cluster.running("a", 1, "n1", NOW, 100));
        QueueColumns columns = cluster.jobs.queue().columns();
        int row = cluster.jobs.queue().row(0);

        columns.remember(row, 2, 0);

        assertThat(plan.outOfReach(columns, row)).isFalse();
    }

    private static boolean outOfReach(TestCluster cluster, ResourcePlan plan, Job job) {
        QueueColumns columns = cluster.jobs.queue().columns();
        int row = cluster.jobs.queue().row(cluster.jobs.queue().position(job));
        plan.fillColumns(job, columns, row);
        return plan.outOfReach(columns, row);
    }
}
