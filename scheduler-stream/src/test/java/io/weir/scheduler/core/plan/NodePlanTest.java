package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodePlanTest extends ResourcePlanContract {
    @Override
    ResourcePlan plan(TestCluster cluster) {
        return new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
    }

    private ResourcePlan reset(TestCluster cluster) {
        ResourcePlan plan = plan(cluster);
        plan.reset(0, SitePolicy.DEFAULT);
        return plan;
    }

    /** Two small nodes at positions 0 and 1, a large one at 2. */
    private static TestCluster unlikeNodes() {
        return new TestCluster()
                .node("small1", 1, 100, "DEFAULT")
                .node("small2", 1, 100, "DEFAULT")
                .node("large", 2, 1000, "DEFAULT");
    }

    @Test
    void shouldNameTheNodeThatHasWhatATaskTakes() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 500));

        assertThat(reset(cluster).now(job)).extracting(Slot::shares).isEqualTo(List.of(new TaskShare(2, 0, 1)));
    }

    @Test
    void shouldLeaveFreeProcessorsAloneWhoseNodeHasNoMemoryLeft() {
        TestCluster cluster = unlikeNodes();
        Job first = cluster.waiting("first", null, 100, TestCluster.tasksWithMemory(1, 800));
        Job second = cluster.waiting("second", null, 60, TestCluster.tasksWithMemory(1, 300));
        ResourcePlan plan = reset(cluster);

        plan.take(plan.now(first));

        assertThat(plan.now(second)).isNull();
        assertThat(plan.earliest(second, 0)).extracting(Slot::start).isEqualTo(100L);
    }

    @Test
    void shouldPlaceUnlikeRequirementsOfAJobAtTheSameInstant() {
        TestCluster cluster = unlikeNodes().running("a", 1, "small1", 0, 50);
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(2, 400), Requirement.ofProcs(2, 1));
        ResourcePlan plan = reset(cluster);

        Slot slot = plan.earliest(job, 0);

        assertThat(slot).isNotNull();
        assertThat(slot.start()).isEqualTo(50);
        assertThat(slot.shares())
                .containsExactlyInAnyOrder(new TaskShare(2, 0, 2), new TaskShare(0, 1, 1), new TaskShare(1, 1, 1));
    }

    @Test
    void shouldNotSpreadAJobOverPartitions() {
        TestCluster cluster = new TestCluster().node("a1", 2, 0, "a").node("b1", 2, 0, "b");
        Job job = cluster.waiting("job", 3, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.possible(job)).isFalse();
        assertThat(plan.earliest(job, 0)).isNull();
    }

    @Test
    void shouldKeepATaskOfManyProcessorsOnOneNode() {
        TestCluster cluster =
                new TestCluster().nodes(2, 4).running("a", 2, "n1", 0, 100).running("b", 2, "n2", 0, 200);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 3));

        assertThat(reset(cluster).earliest(job, 0)).extracting(Slot::start).isEqualTo(100L);
    }

    @Test
    void shouldNameNodesOfLikeSlotsSoThatNoProcessorIsTakenTwice() {
        TestCluster cluster = new TestCluster().nodes(4, 1).running("a", 1, "n4", 0, 100);
        Job first = cluster.waiting("first", 3, 100);
        Job second = cluster.waiting("second", 2, 100);
        ResourcePlan plan = reset(cluster);
        SortedMap<String, Slot> slots = new TreeMap<>();
        for (Job job : List.of(first, second)) {
            Slot slot = plan.earliest(job, 100);
            plan.take(slot);
            slots.put(job.id(), slot);
        }

        SortedMap<String, Slot> named = plan.named(slots, List.of());

        assertThat(plan.namesLate()).isTrue();
        assertThat(named.get("first").shares()).extracting(TaskShare::position).containsExactly(3, 2, 1);
        assertThat(named.get("second").start()).isEqualTo(200);
        assertThat(named.get("second").shares()).extracting(TaskShare::position).containsExactly(3, 2);
    }

    @Test
    void shouldHoldSlotsThatMayNotMoveWhileItNamesTheOthers() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job fixed = cluster.waiting("fixed", 1, 100);
        Job other = cluster.waiting("other", 1, 50);
        ResourcePlan plan = reset(cluster);
        Slot kept = plan.now(fixed);
        plan.take(kept);
        Slot later = plan.earliest(other, 10);
        plan.take(later);
        int taken = kept.shares().get(0).position();

        SortedMap<String, Slot> named = plan.named(new TreeMap<>(java.util.Map.of("other", later)), List.of(kept));

        assertThat(named.get("other").shares()).containsExactly(new TaskShare(1 - taken, 0, 1));
    }

    @Test
    void shouldStartAJobWhereReservationsLeaveItRoomForLongEnough() {
        TestCluster cluster = new TestCluster().nodes(2, 2).reserved("r", "USER==bob", 100, 200, 2, "n1", "n2");
        Job ahead = cluster.waiting("ahead", 4, 100);
        Job later = cluster.waiting("later", 4, 101);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.earliest(ahead, 0).start()).isZero();
        assertThat(plan.earliest(later, 0).start()).isEqualTo(200);
    }

    @Test
    void shouldStartAJobOnNodesThatReservationsDoNotKeepFromIt() {
        TestCluster cluster = new TestCluster().nodes(2, 2).reserved("r", "USER==bob", 0, 200, 2, "n2");
        Job job = cluster.waiting("job", 2, 100);

        assertThat(reset(cluster).now(job).shares())
                .extracting(TaskShare::position)
                .containsExactly(0);
    }
}
