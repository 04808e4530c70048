package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
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
}
