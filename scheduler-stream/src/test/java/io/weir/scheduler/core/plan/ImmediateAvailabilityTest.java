package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.TaskNeed;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeState;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nodes at positions 0 to 2, unlike each other: n1 has 4 processors, n2 has 3 and two tapes, n3 has 2 and is busy. */
class ImmediateAvailabilityTest {
    private static final int SECOND = 1;
    private static final int TAPES = 5;

    private final TestCluster cluster = new TestCluster()
            .node("n1", 4, 1000, "DEFAULT")
            .node(
                    "n2",
                    3,
                    node -> node.setMemoryMb(300)
                            .setSwapMb(200)
                            .setDiskMb(100)
                            .setGres(List.of(new NameCount("tape", 2L))))
            .node("n3", 2, node -> node.setState(NodeState.BUSY));
    private final Judged judged = new Judged(cluster);

    /** What may be given now, with what that is made of. */
    private static final class Judged {
        final PlanKeyTable keys;
        final NodeBuckets buckets;
        final ImmediateAvailability immediate;
        final int[] undedicated;
        final int count;

        Judged(TestCluster cluster) {
            keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
            keys.refresh(SitePolicy.DEFAULT);
            buckets = new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
            immediate = new ImmediateAvailability(cluster.placement, keys, buckets);
            undedicated = keys.resources().capacity().clone();
            count = keys.resources().count();
        }

        /** Judges all nodes and admits those that are not busy. */
        Judged all() {
            BitSet all = PlanChanges.all(undedicated.length / count);
            immediate.reset(undedicated, all);
            buckets.form(immediate.amounts(), undedicated);
            all.stream().forEach(immediate::admit);
            return this;
        }

        int ready(int position, int resource) {
            return immediate.amounts()[position * count + resource];
        }

        int[] amounts(Consumer<int[]> some) {
            int[] amounts = new int[count];
            some.accept(amounts);
            return amounts;
        }

        int[] procs(int procs) {
            return amounts(all -> all[NodeResources.PROCS] = procs);
        }

        ResourceTimeline free(Consumer<int[]> some) {
            ResourceTimeline line = new ResourceTimeline(count);
            line.reset(amounts(some), 0);
            return line;
        }
    }

    private static BitSet only(int position) {
        BitSet set = new BitSet();
        set.set(position);
        return set;
    }

    @Test
    void shouldGiveOfEachResourceWhatThePolicySays() {
        cluster.placement.measured.put(SECOND, new Capacity(2, 250, 150, 50));
        judged.all();

        assertThat(judged.ready(SECOND, NodeResources.PROCS)).isEqualTo(2);
        assertThat(judged.ready(SECOND, NodeResources.MEMORY)).isEqualTo(250);
        assertThat(judged.ready(SECOND, NodeResources.SWAP)).isEqualTo(150);
        assertThat(judged.ready(SECOND, NodeResources.DISK)).isEqualTo(50);
        assertThat(judged.ready(SECOND, TAPES)).as("no policy about these").isEqualTo(2);
        assertThat(judged.ready(0, NodeResources.MEMORY)).isEqualTo(1000);
    }

    @Test
    void shouldGiveNoMoreThanCanBeCounted() {
        cluster.placement.measured.put(0, new Capacity(4, 1L << 40, 0, 0));

        assertThat(judged.all().ready(0, NodeResources.MEMORY)).isEqualTo(Integer.MAX_VALUE / 4);
    }

    @Test
    void shouldJudgeNoOtherNodesThanAskedFor() {
        judged.all();
        cluster.placement.measured.put(0, new Capacity(1, 0, 0, 0));
        cluster.placement.measured.put(SECOND, new Capacity(1, 0, 0, 0));

        judged.immediate.reset(judged.undedicated, only(SECOND));

        assertThat(judged.ready(0, NodeResources.PROCS)).isEqualTo(4);
        assertThat(judged.ready(SECOND, NodeResources.PROCS)).isEqualTo(1);
        assertThat(judged.immediate.open().stream()).as("not admitted yet").containsExactly(0);
    }

    @Test
    void shouldForgetNodesThatAreGone() {
        judged.all();
        int[] fewer = Arrays.copyOf(judged.undedicated, judged.count);

        judged.immediate.reset(fewer, new BitSet());

        assertThat(judged.immediate.open().stream()).containsExactly(0);
        assertThat(judged.immediate.amounts()).hasSize(judged.count);
    }

    @Test
    void shouldCountWhatIsGivenBeyondTheUndedicated() {
        cluster.placement.measured.put(SECOND, new Capacity(3, 300, 200, 100));
        int at = SECOND * judged.count;
        judged.undedicated[at] = 1;
        assertThat(judged.all().immediate.procsBeyond(SECOND)).isEqualTo(2);

        judged.undedicated[at] = 0;
        assertThat(judged.all().immediate.procsBeyond(SECOND)).isEqualTo(3);

        judged.undedicated[at] = -2;
        assertThat(judged.all().immediate.procsBeyond(SECOND)).isEqualTo(5);

        judged.undedicated[at] = 3;
        assertThat(judged.all().immediate.procsBeyond(SECOND)).isZero();

        cluster.placement.measured.put(SECOND, new Capacity(1, 300, 200, 100));
        assertThat(judged.all().immediate.procsBeyond(SECOND))
                .as("less is given")
                .isZero();
    }

    @Test
    void shouldAdmitNodesThatAreNotBusyAndHaveAProcessor() {
        cluster.placement.measured.put(SECOND, new Capacity(0, 300, 200, 100));
        judged.all();

        assertThat(judged.immediate.admit(0)).isTrue();
        assertThat(judged.immediate.admit(SECOND))
                .as("there is no processor, but it is not busy")
                .isTrue();
        assertThat(judged.immediate.admit(2)).isFalse();
        assertThat(judged.immediate.open().stream()).containsExactly(0);
    }

    @Test
    void shouldCloseANodeWhoseLastProcessorIsTakenUntilOneIsGivenBack() {
        judged.all();

        judged.immediate.take(SECOND, judged.procs(1), 2);
        assertThat(judged.ready(SECOND, NodeResources.PROCS)).isEqualTo(1);
        assertThat(judged.immediate.open().stream()).containsExactly(0, 1);

        judged.immediate.take(SECOND, judged.procs(1), 1);
        assertThat(judged.immediate.open().stream()).containsExactly(0);

        judged.immediate.take(SECOND, judged.procs(1), -1);
        assertThat(judged.immediate.open().stream()).containsExactly(0, 1);
    }

    @Test
    void shouldNotOpenABusyNodeToWhichSomethingIsGivenBack() {
        judged.all();

        judged.immediate.take(2, judged.procs(1), -1);

        assertThat(judged.immediate.open().stream()).containsExactly(0, 1);
    }

    @Test
    void shouldTakeEveryResourceOfATask() {
        judged.all();

        judged.immediate.take(SECOND, judged.amounts(all -> all[TAPES] = 1), 2);

        assertThat(judged.ready(SECOND, TAPES)).isZero();
    }

    /** Enough on the timeline, so that what may be given binds. */
    @Test
    void shouldStartNoMoreTasksThanMayBeGiven() {
        judged.all();
        ResourceTimeline line = judged.free(all -> Arrays.fill(all, 10_000));

        assertThat(starts(line, all -> all[NodeResources.PROCS] = 1)).isEqualTo(3);
        assertThat(starts(line, all -> all[NodeResources.PROCS] = 2)).isEqualTo(1);
        assertThat(starts(line, all -> all[NodeResources.PROCS] = 4)).isZero();
        assertThat(starts(line, all -> {
                    all[NodeResources.PROCS] = 1;
                    all[NodeResources.MEMORY] = 150;
                }))
                .isEqualTo(2);
        assertThat(starts(line, all -> {
                    all[NodeResources.PROCS] = 1;
                    all[NodeResources.PRESENCE] = 1;
                }))
                .as("who is there is not counted here")
                .isEqualTo(3);
    }

    @Test
    void shouldStartNoMoreTasksThanTheTimelineLeavesUntilTheEnd() {
        judged.all();
        ResourceTimeline line = judged.free(all -> Arrays.fill(all, 10));
        line.take(50, 60, judged.procs(9), 1);
        line.take(60, 70, judged.procs(12), 1);

        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 0, 50))
                .isEqualTo(3);
        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 0, 51))
                .isEqualTo(1);
        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 0, 61))
                .isZero();
        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 60, 61))
                .isZero();
    }

    @Test
    void shouldStartTasksOnWhatIsGivenBeyondTheUndedicated() {
        cluster.placement.measured.put(SECOND, new Capacity(3, 300, 200, 100));
        judged.undedicated[SECOND * judged.count] = 1;
        judged.all();
        ResourceTimeline line = judged.free(all -> all[NodeResources.PROCS] = 1);
        line.take(50, 60, judged.procs(1), 1);

        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 0, 50))
                .as("one that is undedicated and two beyond")
                .isEqualTo(3);
        assertThat(judged.immediate.tasks(need(all -> all[0] = 1), SECOND, line, 0, 60))
                .isEqualTo(2);
    }

    @Test
    void shouldStartNoMoreTasksThanANodeMayGet() {
        judged.all();
        ResourceTimeline line = judged.free(all -> Arrays.fill(all, 10_000));
        TaskNeed two = new TaskNeed(
                judged.procs(1),
                new int[0],
                2,
                1,
                1,
                NodeResources.PRESENCE,
                need(all -> {}).sharing());

        assertThat(judged.immediate.tasks(two, SECOND, line, 0, 10)).isEqualTo(2);
    }

    private TaskNeed need(Consumer<int[]> amounts) {
        return new TaskNeed(judged.amounts(amounts));
    }

    private int starts(ResourceTimeline line, Consumer<int[]> amounts) {
        return judged.immediate.tasks(need(amounts), SECOND, line, 0, 10);
    }

    @Test
    void shouldCountTheProcessorsOfANodeThatLeadsNoBucketByThemselves() {
        judged.all();

        assertThat(judged.immediate.procs(0)).isEqualTo(4);
        assertThat(judged.immediate.procs(SECOND)).isEqualTo(3);
    }

    /** A node of three processors that may not be taken for others, then four alike nodes of two. */
    private static TestCluster alike() {
        TestCluster alike = new TestCluster().node("odd", 3, 0, "DEFAULT");
        return alike.nodes(4, 2);
    }

    @Test
    void shouldCountTheOpenNodesOfABucketTogether() {
        Judged all = new Judged(alike()).all();
        assertThat(all.buckets.bucket(1)).isNotNull();
        assertThat(all.immediate.procs(1)).isEqualTo(8);

        all.immediate.take(2, all.procs(1), 3);
        assertThat(all.immediate.procs(1))
                .as("what a closed node lacks is not taken from others")
                .isEqualTo(6);
    }

    @Test
    void shouldLeaveSharesWhereTheyAreWithoutBuckets() {
        judged.all();
        List<TaskShare> shares = List.of(new TaskShare(2, 0, 9));
        Job job = cluster.waiting("job", 1, 60);

        assertThat(judged.immediate.settle(judged.keys.of(job), shares)).isSameAs(shares);
    }

    /** What a job of these shares, each task of a processor, gets when it starts on the alike nodes. */
    private static List<TaskShare> settle(Judged judged, TestCluster cluster, TaskShare... shares) {
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        return judged.immediate.settle(judged.keys.of(job), List.of(shares));
    }

    private static TaskShare tasks(int position, int tasks) {
        return new TaskShare(position, 0, tasks);
    }

    @Test
    void shouldStartOnTheNamedNodesAsFarAsTheyAreFree() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();

        assertThat(settle(all, cluster, tasks(1, 2), tasks(3, 1))).containsExactly(tasks(1, 2), tasks(3, 1));
    }

    @Test
    void shouldMoveATaskToTheHighestNodeThatIsFree() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();
        all.immediate.take(1, all.procs(1), 2);
        all.immediate.take(4, all.procs(1), 2);

        assertThat(settle(all, cluster, tasks(1, 1))).containsExactly(tasks(3, 1));
        assertThat(settle(all, cluster, tasks(4, 1))).containsExactly(tasks(3, 1));
    }

    @Test
    void shouldNotMoveTasksOntoThoseThatStay() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();
        all.immediate.take(1, all.procs(1), 1);

        assertThat(settle(all, cluster, tasks(1, 2), tasks(4, 2))).containsExactly(tasks(4, 2), tasks(3, 2));
        assertThat(settle(all, cluster, tasks(1, 2), tasks(4, 1)))
                .containsExactly(tasks(4, 1), tasks(4, 1), tasks(3, 1));
    }

    @Test
    void shouldSpreadTasksThatMoveOverSeveralNodes() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();
        all.immediate.take(1, all.procs(1), 1);
        all.immediate.take(3, all.procs(1), 1);

        assertThat(settle(all, cluster, tasks(1, 6)))
                .containsExactly(tasks(4, 2), tasks(3, 1), tasks(2, 2), tasks(1, 1));
        assertThat(settle(all, cluster, tasks(1, 3), tasks(3, 3)))
                .containsExactly(tasks(4, 2), tasks(3, 1), tasks(2, 2), tasks(1, 1));
    }

    @Test
    void shouldStartNothingWhereTheAlikeNodesAreNotEnough() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();

        assertThat(settle(all, cluster, tasks(1, 8))).hasSize(4);
        assertThat(settle(all, cluster, tasks(1, 9))).isEmpty();
        assertThat(settle(all, cluster, tasks(1, 6), tasks(2, 3))).isEmpty();
    }

    @Test
    void shouldStartTwoRequirementsOnOneNodeWhereItHoldsBoth() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();

        assertThat(settle(all, cluster, tasks(2, 1), new TaskShare(2, 1, 1)))
                .containsExactly(tasks(2, 1), new TaskShare(2, 1, 1));
        assertThat(settle(all, cluster, tasks(2, 1), new TaskShare(2, 1, 2)))
                .containsExactly(tasks(2, 1), new TaskShare(4, 1, 2));
    }

    @Test
    void shouldNotMoveTasksThatLieOnANodeOfItsOwn() {
        TestCluster cluster = alike();
        Judged all = new Judged(cluster).all();
        all.immediate.take(0, all.procs(1), 3);

        assertThat(settle(all, cluster, tasks(0, 3), tasks(2, 1))).containsExactly(tasks(0, 3), tasks(2, 1));
    }

    @Test
    void shouldNotMoveTasksToANodeThatIsClosed() {
        TestCluster cluster = new TestCluster().nodes(2, 2).node("n3", 2, node -> node.setState(NodeState.BUSY));
        Judged all = new Judged(cluster).all();
        all.immediate.take(0, all.procs(1), 2);

        assertThat(settle(all, cluster, tasks(0, 2))).containsExactly(tasks(1, 2));
        assertThat(settle(all, cluster, tasks(0, 3))).isEmpty();
    }

    @Test
    void shouldCountAndFillTheFirstNodeOfAllWithItsBucket() {
        TestCluster cluster = new TestCluster().nodes(2, 2);
        Judged all = new Judged(cluster).all();
        assertThat(all.immediate.procs(0)).isEqualTo(4);
        all.immediate.take(1, all.procs(1), 1);

        assertThat(settle(all, cluster, tasks(1, 3))).containsExactly(tasks(1, 1), tasks(0, 2));
    }
}
