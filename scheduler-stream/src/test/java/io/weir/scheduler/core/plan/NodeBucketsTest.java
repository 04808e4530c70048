package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which nodes are followed as one: n1, n2 and n3 have two processors and 1000 MB each, big has four. */
class NodeBucketsTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 2, 1000, "DEFAULT")
            .node("n2", 2, 1000, "DEFAULT")
            .node("n3", 2, 1000, "DEFAULT")
            .node("big", 4, 1000, "DEFAULT");
    private final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
    private final NodeBuckets buckets =
            new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);

    private void form() {
        keys.refresh(SitePolicy.DEFAULT);
        int[] capacity = keys.resources().capacity();
        buckets.form(capacity, capacity);
    }

    private static BitSet positions(int... positions) {
        BitSet set = new BitSet();
        for (int position : positions) {
            set.set(position);
        }
        return set;
    }

    private static JobOptions on(String host) {
        return new JobOptions(List.of(), List.of(host), null, null, null, null, null, List.of(), Job.NONE, null);
    }

    @Test
    void shouldFollowLikeNodesAsOne() {
        form();

        assertThat(buckets.any()).isTrue();
        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1, 2));
        assertThat(buckets.all()).containsOnlyKeys(0);
        assertThat(buckets.leader(2)).isZero();
        assertThat(buckets.inBucket(1)).isTrue();
        assertThat(buckets.of(2)).isEqualTo(positions(0, 1, 2));
    }

    @Test
    void shouldFollowANodeWithoutItsLikeByItself() {
        form();

        assertThat(buckets.leader(3)).isEqualTo(3);
        assertThat(buckets.inBucket(3)).isFalse();
        assertThat(buckets.bucket(3)).isNull();
        assertThat(buckets.of(3).isEmpty()).isTrue();
    }

    @Test
    void shouldTellNodesApartThatAJobNames() {
        cluster.waiting("job", 1, 60, on("n2"));

        form();

        assertThat(buckets.any()).isFalse();
        assertThat(buckets.leader(1)).isEqualTo(1);
    }

    @Test
    void shouldTellNodesApartForAJobThatRuns() {
        Job job = cluster.waiting("job", 1, 60, on("n2"));
        cluster.jobs.put(job.edit()
                .running(JobState.RUNNING, 0, List.of(new NodeAllocation("n2", 1)))
                .done());

        form();

        assertThat(buckets.any()).isFalse();
    }

    @Test
    void shouldCountProcessorsThatTakeTheirShareOfTheMemory() {
        cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 500));

        form();

        assertThat(buckets.any()).isTrue();
    }

    @Test
    void shouldTellNodesApartForATaskThatTakesMoreThanTheShareOfItsProcessor() {
        cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 501));

        form();

        assertThat(buckets.any()).isFalse();
    }

    @Test
    void shouldTellNodesApartForATaskOfSeveralProcessors() {
        cluster.waiting("job", null, 60, Requirement.ofProcs(1, 2));

        form();

        assertThat(buckets.any()).isFalse();
    }

    @Test
    void shouldTellNodesApartWhereEachJobChoosesByItself() {
        cluster.placement.personal = true;

        form();

        assertThat(buckets.any()).isFalse();
    }

    @Test
    void shouldLeaveOutANodeThatTakesNothingNow() {
        cluster.node("n5", 2, report -> report.setMemoryMb(1000).setState(NodeState.BUSY));

        form();

        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1, 2));
        assertThat(buckets.inBucket(4)).isFalse();
    }

    @Test
    void shouldLeaveOutANodeThatGivesOtherThanItsJobsLeave() {
        keys.refresh(SitePolicy.DEFAULT);
        int[] left = keys.resources().capacity();
        int[] given = left.clone();
        given[2 * keys.resources().count()]--;

        buckets.form(given, left);

        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1));
    }

    @Test
    void shouldLeaveOutANodeThatHoldsMoreThanItHas() {
        keys.refresh(SitePolicy.DEFAULT);
        int[] left = keys.resources().capacity().clone();
        left[NodeResources.MEMORY] = -1;

        buckets.form(left, left);

        assertThat(buckets.bucket(1)).isEqualTo(positions(1, 2));
        assertThat(buckets.leader(2)).isEqualTo(1);
    }

    @Test
    void shouldFormNoBucketOfASingleNode() {
        keys.refresh(SitePolicy.DEFAULT);
        int[] left = keys.resources().capacity();
        int[] given = left.clone();
        given[0]--;
        given[keys.resources().count()]--;

        buckets.form(given, left);

        assertThat(buckets.any()).isFalse();
    }

    @Test
    void shouldBeStaleOnceAJobTellsNodesApartAndOnceItIsGone() {
        form();
        assertThat(buckets.stale()).isFalse();

        cluster.waiting("job", 1, 60, on("n2"));
        assertThat(buckets.stale()).isTrue();
        form();
        assertThat(buckets.stale()).isFalse();

        cluster.jobs.remove("job");
        assertThat(buckets.stale()).isTrue();
    }

    @Test
    void shouldBeStaleOnceTheNodesChange() {
        form();

        cluster.node("n4", 2, 1000, "DEFAULT");
        keys.refresh(SitePolicy.DEFAULT);

        assertThat(buckets.stale()).isTrue();
    }

    @Test
    void shouldTellNodesApartForAJobToWhichTheyAreNotTheSame() {
        cluster.placement.indifferent = false;
        cluster.waiting("job", 1, 60);

        form();

        assertThat(buckets.any()).isFalse();
    }

    /** Two nodes, no more than two nodes, at least two tasks on each. */
    @Test
    void shouldTellNodesApartForAJobThatCountsThem() {
        TaskResources each = TaskResources.ofProcs(1);
        for (Requirement counted : List.of(
                new Requirement(2, each, NodeDemands.NONE, 2, null, false),
                new Requirement(2, each, NodeDemands.NONE, null, null, false, new NodeCount(0, 2, 0)),
                new Requirement(2, each, NodeDemands.NONE, null, 2, true))) {
            cluster.waiting("job", null, 60, counted);

            form();

            assertThat(buckets.any()).as(counted.toString()).isFalse();
            cluster.jobs.remove("job");
        }
        form();
        assertThat(buckets.any()).isTrue();
    }

    @Test
    void shouldTellNodesApartForAJobWhoseRequirementsLieApart() {
        NodeDemands apart =
                new NodeDemands(List.of(), null, null, null, List.of(), List.of(), List.of(), List.of(), true);
        Requirement task = new Requirement(1, TaskResources.ofProcs(1), apart, null, null, false);
        cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), task);

        form();
        assertThat(buckets.any()).isFalse();

        cluster.jobs.remove("job");
        cluster.waiting("single", null, 60, task);
        form();
        assertThat(buckets.any()).as("nothing to lie apart from").isTrue();
    }

    @Test
    void shouldFollowNodesAsOneAgainWhenTheJobIsOverThatToldThemApart() {
        Job job = cluster.waiting("job", 1, 60, on("n2"));
        form();
        assertThat(buckets.any()).isFalse();

        cluster.jobs.put(job.edit().finished(JobState.COMPLETED, 10, 0, null).done());

        assertThat(buckets.stale()).isTrue();
        form();
        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1, 2));
    }

    @Test
    void shouldTellNodesApartForAJobBehindOneThatIsOver() {
        cluster.waiting("ahead", 1, 60);
        cluster.waiting("job", 1, 60, on("n2"));
        form();
        cluster.jobs.remove("ahead");

        assertThat(buckets.stale()).isFalse();
    }

    /** It takes its share of a node of the kind, though on the first node of all it would take more. */
    @Test
    void shouldMeasureATaskByNodesOfTheKind() {
        TestCluster other = new TestCluster()
                .node("big", 4, 1000, "DEFAULT")
                .node("n1", 2, 1000, "DEFAULT")
                .node("n2", 2, 1000, "DEFAULT");
        PlanKeyTable otherKeys = new PlanKeyTable(other.nodes, other.placement, new NodeSets(other.nodes));
        NodeBuckets those = new NodeBuckets(other.jobs, other.nodes, other.placement, other.access, otherKeys);
        other.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 400));
        otherKeys.refresh(SitePolicy.DEFAULT);
        int[] capacity = otherKeys.resources().capacity();

        those.form(capacity, capacity);

        assertThat(those.bucket(1)).isEqualTo(positions(1, 2));
    }

    @Test
    void shouldLeaveOutANodeThatAReservationLiesOn() {
        cluster.reserved("r", "USER==ann", 100, 200, 1, "n2");

        form();

        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 2));
        assertThat(buckets.inBucket(1)).isFalse();
    }

    @Test
    void shouldTellNodesApartThatTakeOneJobAtATime() {
        SitePolicy alone = TestCluster.policy("NODEACCESSPOLICY SINGLEJOB");
        cluster.nodes.configure(alone);
        keys.refresh(alone);
        int[] capacity = keys.resources().capacity();

        buckets.form(capacity, capacity);

        assertThat(buckets.any()).isFalse();
    }

    /** The jobs ask for half of the memory for each processor; one holds a processor, with the memory of both. */
    @Test
    void shouldLeaveOutANodeWhoseJobHoldsMoreThanTheShareOfItsProcessors() {
        cluster.job(TestJob.running(
                        "greedy",
                        0,
                        report -> report.setRequirements(
                                List.of(TestCluster.tasksWithMemory(2, 500).toRecord())),
                        new NodeAllocation("n1", 1))
                .edit()
                .placed(List.of(new TaskPlacement("n1", 0, 2)))
                .done());
        cluster.job(TestJob.running(
                "modest",
                0,
                report -> report.setRequirements(
                        List.of(TestCluster.tasksWithMemory(1, 500).toRecord())),
                new NodeAllocation("n2", 1)));
        cluster.job(TestJob.running("elsewhere", 0, report -> {}, new NodeAllocation("n9", 1)));

        form();

        assertThat(buckets.bucket(1)).isEqualTo(positions(1, 2));
        assertThat(buckets.inBucket(0)).isFalse();
    }

    /** It asked for another node, but was given this one. */
    @Test
    void shouldLeaveOutANodeThatAJobHasForItself() {
        cluster.job(TestJob.running(
                "alone",
                0,
                report -> report.setNodeAccess("SINGLEJOB").setHosts(List.of("big")),
                new NodeAllocation("n3", 1)));

        form();

        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1));
    }

    @Test
    void shouldNotBeStaleForJobsThatConcernOnlyNodesWithoutTheirLike() {
        form();

        cluster.waiting("named", 1, 60, on("big"));
        cluster.waiting("wide", null, 60, Requirement.ofProcs(1, 3));

        assertThat(buckets.stale()).isFalse();
    }

    @Test
    void shouldFollowNodesByThemselvesOnceAJobTellsThemApart() {
        form();
        cluster.waiting("job", 1, 60, on("n2"));

        form();

        assertThat(buckets.any()).isFalse();
        assertThat(buckets.all()).isEmpty();
        assertThat(buckets.leader(1)).isEqualTo(1);
        assertThat(buckets.inBucket(1)).isFalse();
    }

    @Test
    void shouldFollowTheNodesThereAreAsOne() {
        form();

        cluster.nodes.remove("n1");
        form();

        assertThat(buckets.all()).containsOnlyKeys(0);
        assertThat(buckets.bucket(0)).isEqualTo(positions(0, 1));
        assertThat(buckets.leader(2)).as("the large one").isEqualTo(2);
    }
}
