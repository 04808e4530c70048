package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.TimelineRow;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What jobs leave of n1 with 4 processors, n2 with 3 and n3 with 2, and 100 MB of memory for each; instants are seconds. */
class UndedicatedResourcesTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 4, 100, "DEFAULT")
            .node("n2", 3, 100, "DEFAULT")
            .node("n3", 2, 100, "DEFAULT");
    private final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
    private final NodeBuckets buckets =
            new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
    private final UndedicatedResources left = new UndedicatedResources(cluster.jobs, cluster.nodes, keys, buckets);
    private TimelineRow lines = new TimelineRow(0, 0);

    /** Runs a job of one task of 10 MB for each processor since 0. */
    private void runs(String id, long seconds, @Nullable String access, NodeAllocation... nodes) {
        int procs = Arrays.stream(nodes).mapToInt(NodeAllocation::getProcs).sum();
        cluster.job(TestJob.running(
                id,
                0,
                report -> report.setRequirements(
                                List.of(TestCluster.tasksWithMemory(procs, 10).toRecord()))
                        .setWalltimeSeconds(seconds)
                        .setNodeAccess(access),
                nodes));
    }

    private void begin() {
        keys.refresh(SitePolicy.DEFAULT);
        int[] capacity = keys.resources().capacity();
        buckets.form(capacity, capacity);
        lines = new TimelineRow(cluster.nodes.size(), keys.resources().count());
    }

    private void follow(int... positions) {
        BitSet those = new BitSet();
        for (int position : positions) {
            those.set(position);
        }
        left.count(those, lines);
        left.layOut(those, lines, UndedicatedResourcesTest::end);
    }

    private static int end(Job job) {
        return (int) job.limitEnd();
    }

    private int left(int position, int resource) {
        return left.amounts()[position * keys.resources().count() + resource];
    }

    private int free(int position, int instant) {
        return lines.at(position).free(NodeResources.PROCS, instant);
    }

    @Test
    void shouldLeaveWhatNoJobHolds() {
        runs("a", 100, null, new NodeAllocation("n1", 1), new NodeAllocation("n2", 2));
        begin();
        follow(0, 1, 2);

        assertThat(left(0, NodeResources.PROCS)).isEqualTo(3);
        assertThat(left(0, NodeResources.MEMORY)).isEqualTo(90);
        assertThat(left(1, NodeResources.PROCS)).isEqualTo(1);
        assertThat(left(1, NodeResources.MEMORY)).isEqualTo(80);
        assertThat(left(2, NodeResources.PROCS)).isEqualTo(2);
        assertThat(free(1, 99)).isEqualTo(1);
        assertThat(free(1, 100)).isEqualTo(3);
        assertThat(lines.at(1).free(NodeResources.MEMORY, 100)).isEqualTo(100);
    }

    @Test
    void shouldReleaseWhatJobsHoldInTheOrderOfTheirEnds() {
        runs("late", 200, null, new NodeAllocation("n1", 1));
        runs("soon", 100, null, new NodeAllocation("n1", 2));
        begin();
        follow(0);

        assertThat(free(0, 0)).isEqualTo(1);
        assertThat(free(0, 100)).isEqualTo(3);
        assertThat(free(0, 200)).isEqualTo(4);
    }

    @Test
    void shouldKeepTheWholeNodeForAJobThatSharesItWithNobody() {
        runs("a", 100, "SINGLEJOB", new NodeAllocation("n2", 1));
        begin();
        follow(0, 1, 2);

        assertThat(left(1, NodeResources.PROCS)).isZero();
        assertThat(left(1, NodeResources.MEMORY)).isZero();
        assertThat(free(1, 99)).isZero();
        assertThat(free(1, 100)).isEqualTo(3);
    }

    @Test
    void shouldKeepTheWholeOfANodeThatTakesOneJobAtATime() {
        runs("a", 100, null, new NodeAllocation("n2", 1));
        runs("b", 100, "SHARED", new NodeAllocation("n3", 1));
        begin();
        lines.at(1).takesOne(true);
        lines.at(2).takesOne(true);
        follow(0, 1, 2);

        assertThat(left(1, NodeResources.PROCS)).isZero();
        assertThat(left(2, NodeResources.PROCS))
                .as("it shares whatever is said of the node")
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveOtherNodesAsTheyAre() {
        runs("a", 100, null, new NodeAllocation("n1", 1), new NodeAllocation("n2", 1));
        begin();
        follow(0, 1, 2);
        runs("b", 200, null, new NodeAllocation("n1", 1), new NodeAllocation("n2", 1));

        follow(0);

        assertThat(left(0, NodeResources.PROCS)).isEqualTo(2);
        assertThat(free(0, 200)).isEqualTo(4);
        assertThat(left(1, NodeResources.PROCS)).as("not asked for").isEqualTo(2);
        assertThat(free(1, 99)).isEqualTo(2);
        assertThat(free(1, 200)).isEqualTo(3);
    }

    @Test
    void shouldHearOfAJobThatEnded() {
        runs("a", 100, null, new NodeAllocation("n1", 1));
        begin();
        follow(0, 1, 2);
        Job job = cluster.jobs.get("a");
        cluster.jobs.put(job.edit().finished(JobState.COMPLETED, 10, 0, null).done());
        cluster.nodes.release("a", job.shares());

        follow(0);

        assertThat(left(0, NodeResources.PROCS)).isEqualTo(4);
    }

    @Test
    void shouldIgnoreWhatJobsHoldOfNodesThatAreNotKnown() {
        runs("a", 100, null, new NodeAllocation("n9", 1), new NodeAllocation("n1", 1));
        begin();
        follow(0, 1, 2);

        assertThat(left(0, NodeResources.PROCS)).isEqualTo(3);
    }

    /** Two nodes of five processors each. */
    @Test
    void shouldPutTheProcessorsOfABucketOnTheTimelineThatLeadsIt() {
        cluster.node("n4", 5, 100, "DEFAULT").node("n5", 5, 100, "DEFAULT");
        runs("a", 100, null, new NodeAllocation("n5", 2));
        begin();
        follow(0, 1, 2, 3, 4);

        assertThat(free(3, 99)).isEqualTo(8);
        assertThat(free(3, 100)).isEqualTo(10);
        assertThat(lines.at(3).free(NodeResources.MEMORY, 0))
                .as("enough for any")
                .isGreaterThan(1_000_000);
        assertThat(free(4, 0)).isZero();
        assertThat(free(4, 100)).isZero();
    }

    @Test
    void shouldLeaveNothingOnTheTimelinesOfNodesThatCameIntoABucket() {
        cluster.node("n4", 5, 100, "DEFAULT").node("n5", 5, 100, "DEFAULT");
        cluster.placement.personal = true;
        begin();
        follow(0, 1, 2, 3, 4);
        assertThat(free(4, 0)).isEqualTo(5);
        cluster.placement.personal = false;
        buckets.form(keys.resources().capacity(), keys.resources().capacity());

        follow(0, 1, 2, 3, 4);

        assertThat(free(3, 0)).isEqualTo(10);
        assertThat(free(4, 0)).isZero();
    }

    /** The node is not there until 150; what a job gives back at 200 comes then. */
    @Test
    void shouldWithholdWhatJobsGiveBackBeforeTheNodeIsThere() {
        runs("soon", 100, null, new NodeAllocation("n2", 1));
        runs("late", 200, null, new NodeAllocation("n2", 1));
        begin();
        follow(0, 1, 2);

        left.withhold(1, lines, UndedicatedResourcesTest::end, 150);

        assertThat(free(1, 99)).isEqualTo(1);
        assertThat(free(1, 149)).isEqualTo(1);
        assertThat(free(1, 150)).isEqualTo(2);
        assertThat(free(1, 200)).isEqualTo(3);
    }

    @Test
    void shouldWithholdTheWholeNodeOfAJobThatIsAloneThere() {
        runs("a", 100, "SINGLEJOB", new NodeAllocation("n2", 1));
        begin();
        follow(0, 1, 2);

        left.withhold(1, lines, UndedicatedResourcesTest::end, 150);

        assertThat(free(1, 149)).isZero();
        assertThat(free(1, 150)).isEqualTo(3);
    }

    @Test
    void shouldWithholdNothingForJobsThatAreOver() {
        runs("a", 100, null, new NodeAllocation("n2", 1));
        runs("gone", 100, null, new NodeAllocation("n2", 1));
        begin();
        cluster.jobs.put(cluster.jobs
                .get("a")
                .edit()
                .finished(JobState.COMPLETED, 10, 0, null)
                .done());
        cluster.jobs.remove("gone");
        follow(0, 1, 2);

        left.withhold(1, lines, UndedicatedResourcesTest::end, 150);

        assertThat(free(1, 120)).isEqualTo(3);
    }
}
