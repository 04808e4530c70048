package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.NodeBlock;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What {@link NodeAvailabilityPlan} answers about single nodes: n1, n2 and n3 have 4, 5 and 6 processors and 100 MB of
 * memory for each.
 */
class NodeAvailabilityAnswersTest {
    private static final int PROCS = NodeResources.PROCS;
    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int HORIZON = ResourceTimeline.NEVER - 86_400;

    private final TestCluster cluster = new TestCluster()
            .node("n1", 4, 400, "DEFAULT")
            .node("n2", 5, 500, "DEFAULT")
            .node("n3", 6, 600, "DEFAULT");
    private final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
    private final NodeAvailabilityPlan plan = new NodeAvailabilityPlan(
            cluster.jobs,
            cluster.nodes,
            cluster.placement,
            keys,
            new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys));

    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Starts the plan under the policy that these lines make. */
    private void begin(long now, String... lines) {
        policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        again(now);
    }

    /** Starts it over under the same policy. */
    private void again(long now) {
        keys.refresh(policy);
        plan.reset(now, now, policy);
    }

    private PlanKey key(@Nullable String access, Requirement... requirements) {
        return keys.of(TestJob.waiting(
                "j",
                report -> report.setNodeAccess(access)
                        .setRequirements(Arrays.stream(requirements)
                                .map(Requirement::toRecord)
                                .toList())));
    }

    private PlanKey single() {
        return key(null, Requirement.ofProcs(1, 1));
    }

    private int free(int position, int resource, int instant) {
        return plan.lines().at(position).free(resource, instant);
    }

    private static TaskShare tasks(int position, int tasks) {
        return new TaskShare(position, 0, tasks);
    }

    private static Slot slot(PlanKey key, long start, long seconds, TaskShare... shares) {
        return new Slot(start, seconds, 1, List.of(shares), key);
    }

    @Test
    void shouldEndNeverWhereAnEndCannotBeCounted() {
        assertThat(NodeAvailabilityPlan.end(10, 5)).isEqualTo(15);
        assertThat(NodeAvailabilityPlan.end(10, 0)).isEqualTo(10);
        assertThat(NodeAvailabilityPlan.end(0, ResourceTimeline.NEVER)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(NodeAvailabilityPlan.end(10, ResourceTimeline.NEVER)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(NodeAvailabilityPlan.seconds(HORIZON - 1L)).isEqualTo(HORIZON - 1);
        assertThat(NodeAvailabilityPlan.seconds(HORIZON)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(NodeAvailabilityPlan.seconds(1L << 40)).isEqualTo(ResourceTimeline.NEVER);
    }

    @Test
    void shouldCountInstantsFromTheBaseButNoneBeforeTheStart() {
        begin(1_000);
        again(1_100);

        assertThat(plan.base()).isEqualTo(1_000);
        assertThat(plan.start()).isEqualTo(1_100);
        assertThat(plan.now()).isEqualTo(1_100);
        assertThat(plan.offset()).isEqualTo(100);
        assertThat(plan.instant(1_050)).isEqualTo(100);
        assertThat(plan.instant(1_150)).isEqualTo(150);
        assertThat(plan.instant(1_100L + HORIZON - 1)).isEqualTo(100 + HORIZON - 1);
        assertThat(plan.instant(1_100L + HORIZON)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(plan.instant(TimeArgument.FOREVER)).isEqualTo(ResourceTimeline.NEVER);
    }

    @Test
    void shouldMoveOnWithoutStartingOver() {
        begin(1_000);

        plan.resume(1_060);

        assertThat(plan.now()).isEqualTo(1_060);
        assertThat(plan.offset()).isEqualTo(60);
        assertThat(plan.start()).isEqualTo(1_000);
        plan.resume(1L << 40);
        assertThat(plan.offset()).isEqualTo(ResourceTimeline.NEVER);
    }

    /** One that starts later would tell that instant from never. */
    @Test
    void shouldBeOutgrownWhenAnInstantIsNearEnoughToBeCounted() {
        begin(1_000);
        assertThat(plan.outgrown(1_000L + HORIZON - 1)).isFalse();
        assertThat(plan.outgrown(1_000L + HORIZON)).isTrue();

        plan.instant(1_010L + HORIZON);
        plan.instant(1_020L + HORIZON);
        plan.instant(TimeArgument.FOREVER);

        assertThat(plan.outgrown(1_010)).isFalse();
        assertThat(plan.outgrown(1_011)).isTrue();
        again(1_011);
        assertThat(plan.base()).as("it counts anew").isEqualTo(1_011);
        assertThat(plan.outgrown(1_011)).isFalse();
    }

    @Test
    void shouldCountAnewWhenTimeGoesBack() {
        begin(1_000);
        again(1_100);

        again(1_050);

        assertThat(plan.base()).isEqualTo(1_050);
        assertThat(plan.offset()).isZero();
    }

    /** Busy for two minutes from the start of the plan, whatever its jobs give back meanwhile. */
    @Test
    void shouldGiveNothingOfABusyNodeForAWhile() {
        cluster.running("r", 1, "n1", 0, 1_050);
        cluster.node("n4", 7, node -> node.setMemoryMb(700).setState(NodeState.BUSY));
        begin(900, "NODEBUSYSTATEDELAYTIME 00:02:00");
        again(1_000);

        assertThat(free(3, PROCS, 100)).isZero();
        assertThat(free(3, NodeResources.MEMORY, 219)).isZero();
        assertThat(free(3, PROCS, 219)).isZero();
        assertThat(free(3, PROCS, 220)).isEqualTo(7);
        assertThat(plan.open().stream()).containsExactly(0, 1, 2);
    }

    /** Away for ten minutes; what its jobs give back before that is not to be had sooner. */
    @Test
    void shouldGiveNothingOfAnAwaitedNodeUntilItIsExpected() {
        String delay = "NODEDOWNSTATEDELAYTIME 00:10:00";
        cluster.nodes.configure(TestCluster.policy(delay));
        cluster.node("n4", 7, node -> node.setState(NodeState.DOWN))
                .running("soon", 1, "n4", 0, 1_050)
                .running("late", 2, "n4", 0, 2_000);
        begin(1_000, delay);

        assertThat(free(3, PROCS, 0)).isZero();
        assertThat(free(3, PROCS, 599)).isZero();
        assertThat(free(3, PROCS, 600)).isEqualTo(5);
        assertThat(free(3, PROCS, 1_000)).isEqualTo(7);
    }

    @Test
    void shouldGiveNothingOfANodeThatAReservationKeepsUntilThatEnds() {
        cluster.node("n4", 7, node -> node.setState(NodeState.DOWN));
        cluster.nodes.keep(new TreeMap<>(Map.of("n4", 1_300L)));
        begin(1_000);

        assertThat(free(3, PROCS, 299)).isZero();
        assertThat(free(3, PROCS, 300)).isEqualTo(7);

        again(1_400);
        assertThat(free(3, PROCS, 400)).as("late, and not there yet").isZero();
        assertThat(free(3, PROCS, 401)).isEqualTo(7);
    }

    @Test
    void shouldGiveNothingEverOfANodeThatNobodyExpects() {
        cluster.node("n4", 7, node -> node.setState(NodeState.DOWN));
        begin(1_000);

        assertThat(plan.open().stream()).containsExactly(0, 1, 2);
        assertThat(key(null, Requirement.ofProcs(1, 7)).parts).isEmpty();
    }

    @Test
    void shouldHoldTheSlotsTaken() {
        begin(1_000);
        PlanKey key = key(null, TestCluster.tasksWithMemory(1, 50));
        Slot slot = slot(key, 1_010, 20, tasks(FIRST, 2), tasks(SECOND, 1));

        plan.take(slot);

        assertThat(free(FIRST, PROCS, 9)).isEqualTo(4);
        assertThat(free(FIRST, PROCS, 10)).isEqualTo(2);
        assertThat(free(FIRST, NodeResources.MEMORY, 29)).isEqualTo(300);
        assertThat(free(FIRST, PROCS, 30)).isEqualTo(4);
        assertThat(free(SECOND, PROCS, 10)).isEqualTo(4);
        assertThat(plan.present().procs(FIRST)).as("it does not start now").isEqualTo(4);

        plan.giveBack(slot);
        assertThat(free(FIRST, PROCS, 10)).isEqualTo(4);
        assertThat(plan.releases().size()).isEqualTo(2);
        assertThat(plan.releases().line(0)).isEqualTo(FIRST);
        assertThat(plan.releases().from(0)).isEqualTo(10);
        assertThat(plan.releases().to(0)).isEqualTo(30);
    }

    @Test
    void shouldHoldNothingForASlotThatNamesNoNodes() {
        begin(1_000);

        plan.take(Slot.counted(1_000, 20, 3));

        assertThat(free(FIRST, PROCS, 0)).isEqualTo(4);
    }

    @Test
    void shouldGiveNoMoreNowThanSlotsThatStartNowLeave() {
        begin(1_000);
        PlanKey key = single();
        Slot slot = slot(key, 1_000, 20, tasks(FIRST, 4));

        plan.take(slot);
        assertThat(plan.open().stream()).containsExactly(1, 2);
        assertThat(plan.overcommitted()).isFalse();
        plan.take(slot);
        assertThat(plan.overcommitted()).isTrue();
        plan.giveBack(slot);
        plan.giveBack(slot);

        assertThat(plan.open().stream()).containsExactly(0, 1, 2);
        assertThat(plan.overcommitted()).isFalse();
    }

    @Test
    void shouldNoticeThatTheLastNodeTouchedIsOvercommitted() {
        begin(1_000);

        plan.take(slot(single(), 1_010, 20, tasks(FIRST, 1), tasks(2, 7)));

        assertThat(plan.overcommitted()).isTrue();
    }

    /** Two shares of a job that has its node for itself: the node is taken once. */
    @Test
    void shouldTakeTheWholeNodeOnceForAJobThatIsAloneOnIt() {
        begin(1_000);
        PlanKey key = key("SINGLEJOB", Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        Slot slot = slot(key, 1_010, 20, tasks(SECOND, 1), new TaskShare(FIRST, 1, 1), new TaskShare(SECOND, 1, 1));

        plan.take(slot);

        assertThat(free(SECOND, PROCS, 10)).isZero();
        assertThat(free(SECOND, NodeResources.MEMORY, 10)).isZero();
        assertThat(free(FIRST, PROCS, 10)).isZero();
        assertThat(plan.overcommitted()).isFalse();
        plan.giveBack(slot);
        assertThat(free(SECOND, PROCS, 10)).isEqualTo(5);
        assertThat(free(SECOND, NodeResources.MEMORY, 10)).isEqualTo(500);
    }

    @Test
    void shouldTakeTheWholeOfANodeThatTakesOneJobAtATime() {
        begin(1_000, "NODECFG[n2] ACCESS=SINGLEJOB");

        plan.take(slot(single(), 1_000, 20, tasks(FIRST, 1), tasks(SECOND, 1)));

        assertThat(free(FIRST, PROCS, 0)).isEqualTo(3);
        assertThat(free(SECOND, PROCS, 0)).isZero();
        assertThat(plan.open().stream()).containsExactly(0, 2);
    }

    @Test
    void shouldStartTasksThatStayFreeUntilTheirEnd() {
        begin(1_000);
        PlanKey key = single();
        plan.take(slot(key, 1_050, 20, tasks(FIRST, 3)));

        assertThat(plan.readyTasks(key.needs[0], FIRST, 50)).isEqualTo(4);
        assertThat(plan.readyTasks(key.needs[0], FIRST, 51)).isEqualTo(1);
    }

    @Test
    void shouldStartNoTaskBesideAJobOnANodeThatTakesOneJobAtATime() {
        cluster.running("r", 1, "n2", 900, 500);
        cluster.placement.measured.put(SECOND, new Capacity(5, 500, 0, 0));
        begin(1_000, "NODECFG[n2] ACCESS=SINGLEJOB", "NODECFG[n3] ACCESS=SINGLEJOB");

        assertThat(plan.readyTasks(single().needs[0], SECOND, 10)).isZero();
        assertThat(plan.readyTasks(single().needs[0], 2, 10)).isEqualTo(6);
    }

    /** What a policy gives beyond the undedicated is given to none that wants the node for itself. */
    @Test
    void shouldStartNoJobThatIsAloneOnItsNodesBesideAnother() {
        cluster.running("r", 1, "n1", 900, 500);
        cluster.placement.measured.put(FIRST, new Capacity(4, 400, 0, 0));
        begin(1_000);

        assertThat(plan.readyTasks(single().needs[0], FIRST, 10)).isEqualTo(4);
        assertThat(plan.readyTasks(key("SINGLEJOB", Requirement.ofProcs(1, 1)).needs[0], FIRST, 10))
                .isZero();
    }

    @Test
    void shouldGiveBeyondTheUndedicatedNowAndUntilTheEnd() {
        cluster.running("r", 3, "n1", 900, 500);
        cluster.placement.measured.put(FIRST, new Capacity(3, 400, 0, 0));
        begin(1_000);

        assertThat(plan.readyProcs(FIRST, 0)).isEqualTo(3);
        assertThat(plan.readyProcs(FIRST, 399)).as("one that is free, and two").isEqualTo(3);
        assertThat(plan.readyProcs(FIRST, 400)).isEqualTo(6);
        assertThat(plan.readyProcs(SECOND, 0)).isEqualTo(5);
    }

    @Test
    void shouldGiveNoMoreNowThanThePolicySays() {
        cluster.placement.measured.put(FIRST, new Capacity(1, 400, 0, 0));
        begin(1_000);

        assertThat(plan.readyProcs(FIRST, 0)).isEqualTo(1);
        assertThat(plan.readyProcs(FIRST, 1))
                .as("what is measured now says nothing of later")
                .isEqualTo(4);
    }

    @Test
    void shouldSayForHowLongANodeStaysFreeAfterwards() {
        begin(1_000);
        PlanKey key = single();
        assertThat(plan.slack(key.needs[0], FIRST, 0, 10)).isEqualTo(Candidates.FOREVER);

        plan.take(slot(key, 1_050, 20, tasks(FIRST, 1)));

        assertThat(plan.slack(key.needs[0], FIRST, 0, 10)).isEqualTo(40);
        assertThat(plan.slack(key.needs[0], FIRST, 10, 40)).isZero();
        assertThat(plan.slack(key.needs[0], FIRST, 100, 10)).isEqualTo(Candidates.FOREVER);
    }

    @Test
    void shouldLeaveToAJobTheRestOfANodeItHasForItself() {
        begin(1_000);
        PlanKey key = key("SINGLEJOB", TestCluster.tasksWithMemory(1, 50), Requirement.ofProcs(1, 2));

        assertThat(plan.tasksBeside(key, 1, SECOND, held())).as("none lie yet").isEqualTo(-1);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(FIRST, 1))))
                .as("none lie there")
                .isEqualTo(-1);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(FIRST, 1), tasks(SECOND, 1))))
                .isEqualTo(2);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(SECOND, 2)))).isEqualTo(1);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(SECOND, 2), new TaskShare(SECOND, 1, 1))))
                .isZero();
        assertThat(plan.tasksBeside(key, 0, SECOND, held(new TaskShare(SECOND, 0, 4))))
                .isEqualTo(1);
        assertThat(plan.tasksBeside(key, 0, SECOND, held(new TaskShare(SECOND, 0, 6))))
                .as("more than there is")
                .isZero();
    }

    @Test
    void shouldFitTheMemoryOfANodeThatAJobHasForItself() {
        begin(1_000);
        PlanKey key = key("SINGLEJOB", TestCluster.tasksWithMemory(1, 200), TestCluster.tasksWithMemory(1, 100));

        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(SECOND, 1)))).isEqualTo(3);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(SECOND, 2)))).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingOfItsOwnNodeToAJobOfSingleTasks() {
        begin(1_000, "NODECFG[n3] ACCESS=SINGLETASK");
        PlanKey asked = key("SINGLETASK", Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        PlanKey byNode = key(null, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        PlanKey alone = key("SINGLEJOB", Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));

        assertThat(plan.tasksBeside(asked, 1, FIRST, held(tasks(FIRST, 1)))).isZero();
        assertThat(plan.tasksBeside(byNode, 1, 2, held(tasks(2, 1)))).isZero();
        assertThat(plan.tasksBeside(alone, 1, 2, held(tasks(2, 1))))
                .as("it says otherwise")
                .isEqualTo(5);
    }

    @Test
    void shouldAskNodesThatAreSharedForTheirRoom() {
        begin(1_000, "NODECFG[n2] ACCESS=SINGLEJOB");
        PlanKey key = key(null, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));

        assertThat(plan.tasksBeside(key, 1, FIRST, held(tasks(FIRST, 1)))).isEqualTo(-1);
        assertThat(plan.tasksBeside(key, 1, SECOND, held(tasks(SECOND, 1)))).isEqualTo(4);
    }

    /** From 10 to 20, of n2 alone. */
    @Test
    void shouldHideWhatIsKeptFromThoseWhoShareAView() {
        begin(1_000);
        AccessView view = new AccessView(3);
        Capacity kept = new Capacity(2, 100, 30, 1L << 40);

        plan.keep(view, FIRST, List.of(), true);
        plan.keep(view, SECOND, List.of(new NodeBlock(1_010, 1_020, kept)), true);

        plan.look(view);
        assertThat(plan.accessView()).isSameAs(view);
        assertThat(view.line(FIRST)).as("nothing is kept of it").isEqualTo(FIRST);
        assertThat(plan.line(SECOND).free(PROCS, 9)).isEqualTo(5);
        assertThat(plan.line(SECOND).free(PROCS, 10)).isEqualTo(3);
        assertThat(plan.line(SECOND).free(NodeResources.MEMORY, 10)).isEqualTo(400);
        assertThat(plan.line(SECOND).free(NodeResources.SWAP, 10)).isEqualTo(-30);
        assertThat(plan.line(SECOND).free(NodeResources.DISK, 10)).isEqualTo(-(Integer.MAX_VALUE / 4));
        assertThat(plan.line(SECOND).free(PROCS, 20)).isEqualTo(5);
        assertThat(free(SECOND, PROCS, 10)).as("others see all of it").isEqualTo(5);
        assertThat(plan.veiled(SECOND, 0, 10)).isFalse();
        assertThat(plan.veiled(SECOND, 0, 11)).isTrue();
        assertThat(plan.veiled(FIRST, 0, 30)).isFalse();
    }

    @Test
    void shouldAddUpWhatIsKeptOfANode() {
        begin(1_000);
        AccessView view = new AccessView(3);

        plan.keep(view, SECOND, List.of(new NodeBlock(1_010, 1_020, new Capacity(2, 0, 0, 0))), true);
        plan.keep(view, SECOND, List.of(new NodeBlock(1_015, 1_030, new Capacity(1, 0, 0, 0))), true);

        plan.look(view);
        assertThat(plan.line(SECOND).free(PROCS, 14)).isEqualTo(3);
        assertThat(plan.line(SECOND).free(PROCS, 15)).isEqualTo(2);
        assertThat(plan.line(SECOND).free(PROCS, 20)).isEqualTo(4);
        assertThat(plan.lines().size()).as("one copy").isEqualTo(4);
    }

    @Test
    void shouldTakeSlotsFromAllViewsOfANodeAndReleaseThemToAll() {
        begin(1_000);
        AccessView view = new AccessView(3);
        plan.keep(view, SECOND, List.of(new NodeBlock(1_010, 1_020, new Capacity(2, 0, 0, 0))), true);
        Slot slot = slot(single(), 1_010, 5, tasks(SECOND, 1));

        plan.take(slot);
        plan.look(view);
        assertThat(plan.line(SECOND).free(PROCS, 10)).isEqualTo(2);
        assertThat(free(SECOND, PROCS, 10)).isEqualTo(4);
        plan.giveBack(slot);

        assertThat(plan.releases().size()).isEqualTo(2);
        assertThat(plan.releases().line(0)).isEqualTo(SECOND);
        assertThat(plan.releases().line(1)).isEqualTo(view.line(SECOND));
    }

    @Test
    void shouldDropViewsAndReleasesWhenItStartsOver() {
        begin(1_000);
        AccessView view = new AccessView(3);
        plan.keep(view, SECOND, List.of(new NodeBlock(1_010, 1_020, new Capacity(2, 0, 0, 0))), true);
        plan.look(view);
        Slot slot = slot(single(), 1_010, 5, tasks(SECOND, 1));
        plan.take(slot);
        plan.giveBack(slot);
        long number = plan.releases().plan();

        again(1_001);

        assertThat(plan.line(SECOND).free(PROCS, plan.instant(1_010))).isEqualTo(5);
        assertThat(plan.lines().size()).isEqualTo(3);
        assertThat(plan.releases().size()).isZero();
        assertThat(plan.releases().plan()).isNotEqualTo(number);
    }

    /** Two nodes like n3. */
    @Test
    void shouldCountAlikeNodesOnOneTimeline() {
        cluster.node("n4", 6, 600, "DEFAULT").node("n5", 6, 600, "DEFAULT");
        begin(1_000);
        PlanKey key = key(null, TestCluster.tasksWithMemory(1, 50));

        plan.take(slot(key, 1_010, 5, tasks(3, 2), tasks(4, 1)));

        assertThat(plan.line(4)).isSameAs(plan.lines().at(2));
        assertThat(free(2, PROCS, 10)).isEqualTo(15);
        assertThat(free(2, NodeResources.MEMORY, 10))
                .as("memory is not counted")
                .isEqualTo(free(2, NodeResources.MEMORY, 0));
        assertThat(free(4, PROCS, 0)).isZero();
        assertThat(plan.readyProcs(2, 0)).isEqualTo(18);
        assertThat(plan.overcommitted()).isFalse();
    }

    @Test
    void shouldHideOfAlikeNodesTheirProcessorsAlone() {
        cluster.node("n4", 6, 600, "DEFAULT").node("n5", 6, 600, "DEFAULT");
        begin(1_000);
        AccessView view = new AccessView(5);
        int memory = free(2, NodeResources.MEMORY, 0);

        plan.keep(view, 3, List.of(new NodeBlock(1_010, 1_020, new Capacity(2, 100, 0, 0))), true);
        plan.look(view);

        assertThat(plan.line(4).free(PROCS, 10)).isEqualTo(16);
        assertThat(plan.line(4).free(NodeResources.MEMORY, 10)).isEqualTo(memory);
        assertThat(plan.veiled(3, 10, 11)).isTrue();
    }

    /** A slot is known by its start; what began before the plan did is held from the start on. */
    @Test
    void shouldHoldASlotThatBeganBefore() {
        begin(1_000);

        plan.take(slot(single(), 990, 30, tasks(FIRST, 1)));

        assertThat(free(FIRST, PROCS, 0)).isEqualTo(3);
        assertThat(free(FIRST, PROCS, 19)).isEqualTo(3);
        assertThat(free(FIRST, PROCS, 20)).isEqualTo(4);
        assertThat(plan.present().procs(FIRST)).isEqualTo(3);
    }

    @Test
    void shouldKeepTheEndOfAJobThatRunsToItsLimit() {
        cluster.job(TestJob.running(
                "r", 900, report -> report.setTasks(2).setWalltimeSeconds(150L), new NodeAllocation("n1", 2)));
        begin(1_000);

        assertThat(free(FIRST, PROCS, 49)).isEqualTo(2);
        assertThat(free(FIRST, PROCS, 50)).isEqualTo(4);
        again(1_060);
        assertThat(free(FIRST, PROCS, 60)).isEqualTo(2);
        assertThat(free(FIRST, PROCS, 61)).isEqualTo(4);
    }

    @Test
    void shouldBeOutgrownByTheFirstInstantThatCannotBeCounted() {
        begin(1_000);

        plan.instant(1_000L + HORIZON);

        assertThat(plan.outgrown(1_000)).isFalse();
        assertThat(plan.outgrown(1_001)).isTrue();
    }

    @Test
    void shouldTakeWhatLastsForEverForNever() {
        begin(1_000);
        plan.instant(TimeArgument.FOREVER);
        assertThat(plan.outgrown(2_000_000_000L)).isFalse();

        begin(2_000_000_000L);
        assertThat(plan.instant(TimeArgument.FOREVER)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(plan.instant(TimeArgument.FOREVER - 1)).isEqualTo((int) (TimeArgument.FOREVER - 1 - 2_000_000_000L));
    }

    /** Two nodes like n3: eighteen processors. */
    @Test
    void shouldNoticeThatABucketIsOvercommitted() {
        cluster.node("n4", 6, 600, "DEFAULT").node("n5", 6, 600, "DEFAULT");
        begin(1_000);

        plan.take(slot(single(), 1_010, 20, tasks(3, 18)));
        assertThat(plan.overcommitted()).isFalse();
        plan.take(slot(single(), 1_020, 20, tasks(4, 1)));

        assertThat(plan.overcommitted()).isTrue();
    }

    /** Now it holds what a task takes of memory, too, though the timeline of a bucket counts processors alone. */
    @Test
    void shouldTakeAllThatATaskTakesFromTheNodeItStartsOn() {
        cluster.node("n4", 6, 600, "DEFAULT").node("n5", 6, 600, "DEFAULT");
        begin(1_000);
        int row = 3 * keys.resources().count();

        plan.take(slot(key(null, TestCluster.tasksWithMemory(1, 50)), 1_000, 20, tasks(3, 2)));

        assertThat(plan.present().amounts()[row + PROCS]).isEqualTo(4);
        assertThat(plan.present().amounts()[row + NodeResources.MEMORY]).isEqualTo(500);
    }

    /** The alike nodes are told apart from the second plan on, and no longer in the third. */
    @Test
    void shouldFollowNodesAnewWhenTheyComeIntoABucketOrLeaveIt() {
        cluster.node("n4", 6, 600, "DEFAULT").node("n5", 6, 600, "DEFAULT");
        begin(1_000);
        assertThat(free(2, PROCS, 0)).isEqualTo(18);

        cluster.waiting("wide", null, 60, Requirement.ofProcs(1, 2));
        again(1_001);
        assertThat(free(2, PROCS, 1)).isEqualTo(6);
        assertThat(free(4, PROCS, 1)).isEqualTo(6);

        cluster.jobs.remove("wide");
        again(1_002);
        assertThat(free(2, PROCS, 2)).isEqualTo(18);
        assertThat(free(4, PROCS, 2)).isZero();
    }

    private static HeldShares held(TaskShare... shares) {
        HeldShares held = new HeldShares();
        for (TaskShare share : shares) {
            held.add(share);
        }
        return held;
    }
}
