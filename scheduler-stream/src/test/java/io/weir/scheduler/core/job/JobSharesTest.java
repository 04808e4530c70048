package io.weir.scheduler.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a job holds of its nodes. */
class JobSharesTest {
    private static final List<NodeAllocation> NODES =
            List.of(new NodeAllocation("n1", 4), new NodeAllocation("n2", 4), new NodeAllocation("n3", 2));

    private static List<NodeShare> shares(List<NodeAllocation> nodes, TaskPlacement... placements) {
        JobRequest request = TestJob.waiting("job", report -> report.setTasks(5).setProcsPerTask(2))
                .request();
        return JobShares.of(request, nodes, List.of(placements));
    }

    private static TaskPlacement on(String node, int tasks) {
        return new TaskPlacement(node, 0, tasks);
    }

    @Test
    void shouldFindTheTasksOfEachNodeInWhateverOrderTheyWerePlaced() {
        List<NodeShare> upwards = shares(NODES, on("n1", 2), on("n2", 2), on("n3", 1));

        assertThat(upwards).extracting(NodeShare::nodeId).containsExactly("n1", "n2", "n3");
        assertThat(upwards).extracting(NodeShare::tasks).containsExactly(2, 2, 1);
        assertThat(upwards).extracting(NodeShare::procs).containsExactly(4, 4, 2);
        assertThat(shares(NODES, on("n3", 1), on("n2", 2), on("n1", 2))).isEqualTo(upwards);
        assertThat(shares(NODES, on("n2", 2), on("n1", 2), on("n3", 1))).isEqualTo(upwards);
        assertThat(shares(NODES, on("n1", 2), on("n3", 1), on("n2", 2))).isEqualTo(upwards);
    }

    @Test
    void shouldAddUpTheTasksThatAreOnOneNode() {
        assertThat(shares(NODES.subList(0, 2), on("n1", 1), on("n1", 1), on("n2", 2)))
                .extracting(NodeShare::tasks)
                .containsExactly(2, 2);
    }

    /** The last requirement has the class of the job. */
    @Test
    void shouldTellTheTasksThatHaveClassesOfTheirOwn() {
        JobRequest request = TestJob.waiting(
                        "job",
                        report -> report.setJobClass("batch")
                                .setRequirements(List.of(inClasses("gpu"), inClasses("gpu", "batch"), inClasses())))
                .request();
        List<NodeShare> shares = JobShares.of(
                request,
                NODES,
                List.of(
                        new TaskPlacement("n1", 0, 1),
                        new TaskPlacement("n1", 1, 1),
                        new TaskPlacement("n1", 2, 2),
                        new TaskPlacement("n2", 2, 4)));

        assertThat(shares.get(0).ownClasses()).containsExactly(entry(NodeShare.SEVERAL, 1), entry("gpu", 1));
        assertThat(shares.get(0).tasksIn("gpu", "batch")).isEqualTo(1);
        assertThat(shares.get(0).tasksIn("batch", "batch")).isEqualTo(2);
        assertThat(shares.get(0).tasksIn("gpu", "gpu")).isEqualTo(3);
        assertThat(shares.get(0).tasksIn("other", null)).isZero();
        assertThat(shares.get(1).tasksIn("batch", "batch")).isEqualTo(4);
        assertThat(shares.get(1).tasksIn("gpu", "batch")).isZero();
        assertThat(shares.get(2).tasksIn("gpu", "batch"))
                .as("where none were placed")
                .isEqualTo(2);
    }

    @Test
    void shouldCountASingleRequirementInItsOwnClass() {
        JobRequest request = TestJob.waiting(
                        "job", report -> report.setJobClass("batch").setRequirements(List.of(inClasses("gpu"))))
                .request();
        NodeShare share =
                JobShares.of(request, NODES.subList(2, 3), List.of(on("n3", 2))).get(0);

        assertThat(share.tasksIn("gpu", "batch")).isEqualTo(2);
        assertThat(share.tasksIn("batch", "batch")).isZero();
    }

    private static TaskRequirement inClasses(String... classes) {
        return TaskRequirement.newBuilder()
                .setTasks(4)
                .setClasses(List.of(classes))
                .build();
    }

    @Test
    void shouldTakeTheProcessorsForTasksWhereNoneWerePlaced() {
        assertThat(shares(NODES)).extracting(NodeShare::tasks).containsExactly(2, 2, 1);
        assertThat(shares(NODES, on("n1", 1), on("n2", 1), on("n9", 1)))
                .extracting(NodeShare::tasks)
                .containsExactly(1, 1, 1);
    }
}
