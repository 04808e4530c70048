package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import org.junit.jupiter.api.Test;

/** Windows on unlike nodes, each with a timeline of its own, of 4, 3 and 2 processors. */
class BackfillWindowsTest {
    private static final long EVER = Long.MAX_VALUE;

    private final TestCluster cluster = new TestCluster()
            .node("n1", 4, 100, "DEFAULT")
            .node("n2", 3, 200, "DEFAULT")
            .node("n3", 2, 300, "DEFAULT");
    private final NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);

    private NodePlan reset(long now) {
        plan.reset(now, SitePolicy.DEFAULT);
        return plan;
    }

    /** Plans a job of {@code tasks} at {@code start}. */
    private void reserve(String id, int tasks, long start, long seconds) {
        Job job = cluster.waiting(id, tasks, seconds);
        Slot slot = plan.earliest(job, start);
        assertThat(slot.start()).isEqualTo(start);
        plan.take(slot);
    }

    @Test
    void shouldFindOneWindowForEverWhereNothingIsPlanned() {
        assertThat(reset(0).windows()).containsExactly(new Window(9, EVER));
    }

    @Test
    void shouldFindNoWindowOnFullNodes() {
        cluster.running("a", 4, "n1", 0, 100).running("b", 3, "n2", 0, 100).running("c", 2, "n3", 0, 100);

        assertThat(reset(0).windows()).isEmpty();
    }

    @Test
    void shouldCountOnlyProcessorsThatAreIdleNow() {
        cluster.running("a", 3, "n1", 0, 100);

        assertThat(reset(0).windows()).containsExactly(new Window(6, EVER));
    }

    @Test
    void shouldNarrowTheWindowWhereProcessorsAreWantedAgain() {
        reset(0);
        reserve("first", 9, 300, 50);
        reserve("second", 4, 100, 50);

        assertThat(plan.windows()).containsExactly(new Window(9, 100), new Window(5, 300));
    }

    @Test
    void shouldMeasureWindowsFromNow() {
        reset(1000);
        reserve("first", 9, 1300, 50);

        assertThat(plan.windows()).containsExactly(new Window(9, 300));
    }

    @Test
    void shouldNotCountProcessorsThatComeFreeLater() {
        cluster.running("a", 4, "n1", 0, 100);
        reset(0);
        reserve("all", 9, 200, 50);

        assertThat(plan.windows()).containsExactly(new Window(5, 200));
    }

    @Test
    void shouldNotWidenAWindowAfterAnInterruption() {
        reset(0);
        reserve("short", 9, 50, 10);

        assertThat(plan.windows()).containsExactly(new Window(9, 50));
    }

    @Test
    void shouldPutLossesOfSeveralNodesAtOneInstantTogether() {
        reset(0);
        reserve("wide", 7, 100, 50);

        assertThat(plan.windows()).containsExactly(new Window(9, 100), new Window(2, EVER));
    }

    @Test
    void shouldCountAlikeNodesTogether() {
        TestCluster alike = new TestCluster().nodes(4, 1).running("a", 1, "n4", 0, 100);
        NodePlan together = new NodePlan(alike.jobs, alike.nodes, alike.access, alike.placement);
        together.reset(0, SitePolicy.DEFAULT);
        together.take(together.earliest(alike.waiting("first", 2, 50), 20));

        assertThat(together.windows()).containsExactly(new Window(3, 20), new Window(1, EVER));
    }
}
