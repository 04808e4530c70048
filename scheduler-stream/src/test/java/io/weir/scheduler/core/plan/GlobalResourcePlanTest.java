package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Generic resources that belong to no node: four nodes of a processor, of which n4 has a licence of its own, and two licences. */
@NullUnmarked
class GlobalResourcePlanTest {
    private final TestCluster cluster = new TestCluster()
            .nodes(3, 1)
            .node("n4", 1, report -> report.setGres(List.of(new NameCount("lic", 1L))))
            .node(EffectiveNode.GLOBAL, 1, report -> report.setGres(List.of(new NameCount("lic", 2L))));

    private Job licensed(String id, int tasks, long seconds) {
        TaskResources each = new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("lic", 1L)));
        return cluster.waiting(id, null, seconds, new Requirement(tasks, each, NodeDemands.NONE, null, null, false));
    }

    private void runs(String id, String node, long seconds) {
        cluster.jobs.put(licensed(id, 1, seconds)
                .edit()
                .running(JobState.RUNNING, 0, List.of(new NodeAllocation(node, 1)))
                .placed(List.of(new TaskPlacement(node, 0, 1)))
                .done());
        cluster.nodes.hold(id, cluster.jobs.get(id).shares());
    }

    private NodePlan plan() {
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.reset(0, SitePolicy.DEFAULT);
        return plan;
    }

    @Test
    void shouldStartNoMoreTasksThanThereAreResources() {
        runs("a", "n1", 100);
        Job one = licensed("one", 1, 50);
        NodePlan plan = plan();

        Slot slot = plan.now(one);
        assertThat(slot).isNotNull();
        plan.take(slot);
        Job next = licensed("next", 1, 50);

        assertThat(plan.now(next)).as("the licence of n4 is left").isNotNull();
        plan.take(plan.now(next));
        assertThat(plan.now(licensed("last", 1, 50))).isNull();
    }

    @Test
    void shouldWaitForWhatRunningJobsGiveBack() {
        runs("a", "n1", 100);
        runs("b", "n2", 200);
        runs("c", "n4", 300);
        Job job = licensed("job", 1, 50);

        assertThat(plan().earliest(job, 0).start())
                .as("n3 is free, the licences are not")
                .isEqualTo(100);
    }

    @Test
    void shouldCountWhatAnOverdueJobHoldsAsFreeFromTheNextSecondOn() {
        runs("a", "n1", 100);
        runs("b", "n2", 200);
        runs("c", "n4", 300);
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);

        plan.reset(150, SitePolicy.DEFAULT);

        assertThat(plan.earliest(licensed("job", 1, 50), 150).start()).isEqualTo(151);
    }

    @Test
    void shouldNotChargeAJobForALicenceOfItsNode() {
        runs("c", "n4", 300);
        runs("a", "n1", 100);
        Job job = licensed("job", 1, 50);

        assertThat(plan().now(job))
                .as("the job on n4 holds that node's licence")
                .isNotNull();
    }

    @Test
    void shouldHaveALicenceAgainThatWasGivenBack() {
        runs("a", "n1", 100);
        runs("c", "n4", 300);
        Job first = licensed("first", 1, 50);
        Job second = licensed("second", 1, 60);
        NodePlan plan = plan();
        Slot taken = plan.now(first);
        plan.take(taken);
        assertThat(plan.earliest(second, 0).start()).isEqualTo(50);

        plan.giveBack(taken);

        assertThat(plan.earliest(second, 0).start()).isZero();
    }

    @Test
    void shouldNoticeThatMoreIsPromisedThanThereIs() {
        runs("a", "n1", 100);
        runs("c", "n4", 300);
        Job first = licensed("first", 1, 50);
        NodePlan plan = plan();
        Slot slot = plan.now(first);
        plan.take(slot);
        assertThat(plan.overcommitted()).isFalse();

        plan.take(slot);

        assertThat(plan.overcommitted()).isTrue();
    }

    @Test
    void shouldFindNoTimeForMoreThanThereEverIs() {
        assertThat(plan().earliest(licensed("four", 4, 50), 0))
                .as("four processors, but three licences")
                .isNull();
    }

    @Test
    void shouldLeaveJobsAloneThatAskForNone() {
        runs("a", "n1", 100);
        runs("b", "n2", 100);

        assertThat(plan().now(cluster.waiting("plain", 2, 500))).isNotNull();
    }

    /** Two licences and one tape float over three nodes of four processors; followed by themselves from 0 on. */
    private static final class Floating {
        final TestCluster cluster = new TestCluster()
                .nodes(3, 4)
                .node(
                        EffectiveNode.GLOBAL,
                        1,
                        report -> report.setGres(List.of(new NameCount("lic", 2L), new NameCount("tape", 1L))));
        final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
        final GlobalResourcePlan plan = new GlobalResourcePlan(cluster.jobs, cluster.nodes);

        Floating reset() {
            keys.refresh(SitePolicy.DEFAULT);
            plan.reset(0, keys.resources());
            return this;
        }

        /** Returns a slot of tasks on one node, each of which takes so many licences and tapes. */
        Slot slot(long start, long seconds, int tasks, long licences, long tapes) {
            return new Slot(
                    start,
                    seconds,
                    tasks,
                    List.of(new TaskShare(cluster.nodes.position("n1"), 0, tasks)),
                    keys.of(cluster.waiting("job", null, seconds, requirement(tasks, licences, tapes))));
        }

        void runs(String id, String node, long seconds, long licences, long tapes) {
            Job job = cluster.waiting(id, null, seconds, requirement(1, licences, tapes))
                    .edit()
                    .running(JobState.RUNNING, 0, List.of(new NodeAllocation(node, 1)))
                    .placed(List.of(new TaskPlacement(node, 0, 1)))
                    .done();
            cluster.job(job);
        }

        private static Requirement requirement(int tasks, long licences, long tapes) {
            TaskResources each = new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("lic", licences, "tape", tapes)));
            return new Requirement(tasks, each, NodeDemands.NONE, null, null, false);
        }
    }

    @Test
    void shouldCountEveryTaskOfANode() {
        Floating floating = new Floating().reset();

        assertThat(floating.plan.earliest(floating.slot(0, 10, 2, 1, 0))).isZero();
        assertThat(floating.plan.earliest(floating.slot(0, 10, 3, 1, 0))).isEqualTo(AvailabilityProfile.NEVER);
        assertThat(floating.plan.earliest(floating.slot(0, 10, 2, 2, 0))).isEqualTo(AvailabilityProfile.NEVER);
    }

    @Test
    void shouldWaitForTheLastOfSeveralResources() {
        Floating floating = new Floating();
        floating.runs("a", "n1", 100, 2, 0);
        floating.runs("b", "n2", 200, 0, 1);
        floating.reset();

        assertThat(floating.plan.earliest(floating.slot(0, 10, 1, 1, 0))).isEqualTo(100);
        assertThat(floating.plan.earliest(floating.slot(0, 10, 1, 1, 1))).isEqualTo(200);
    }

    /** The tape is free from 40 on, but 20 seconds do not fit before the licences are wanted at 50. */
    @Test
    void shouldLookAtOneResourceAgainWhereAnotherMovedTheStart() {
        Floating floating = new Floating();
        floating.runs("b", "n2", 40, 0, 1);
        floating.reset();
        floating.plan.take(floating.slot(50, 50, 2, 1, 0));

        assertThat(floating.plan.earliest(floating.slot(0, 20, 1, 1, 0))).isZero();
        assertThat(floating.plan.earliest(floating.slot(0, 20, 1, 1, 1))).isEqualTo(100);
    }

    @Test
    void shouldHoldUpNoSlotForResourcesItDoesNotAskFor() {
        Floating floating = new Floating().reset();
        floating.plan.take(floating.slot(0, 50, 4, 1, 0));
        assertThat(floating.plan.overcommitted()).isTrue();

        assertThat(floating.plan.earliest(floating.slot(0, 10, 1, 0, 1))).isZero();
        assertThat(floating.plan.earliest(Slot.counted(0, 10, 4))).isZero();
    }

    @Test
    void shouldCountWhatIsHeldOnANodeThatIsGone() {
        Floating floating = new Floating();
        floating.runs("a", "n3", 100, 2, 0);
        floating.cluster.nodes.remove("n3");
        floating.reset();

        assertThat(floating.plan.earliest(floating.slot(0, 10, 1, 1, 0))).isEqualTo(100);
    }

    @Test
    void shouldForgetWhatNoLongerFloats() {
        Floating floating = new Floating();
        floating.runs("a", "n1", 100, 2, 0);
        floating.cluster.node("n4", 4, report -> report.setGres(List.of(new NameCount("lic", 9L))));
        Slot slot = floating.reset().slot(0, 10, 1, 1, 0);
        assertThat(floating.plan.earliest(slot)).isEqualTo(100);

        floating.cluster.nodes.remove(EffectiveNode.GLOBAL);
        floating.reset();

        assertThat(floating.plan.earliest(floating.slot(0, 10, 1, 1, 0))).isZero();
        assertThat(floating.plan.overcommitted()).isFalse();
    }
}
