package io.weir.scheduler.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
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

    @Test
    void shouldTakeTheProcessorsForTasksWhereNoneWerePlaced() {
        assertThat(shares(NODES)).extracting(NodeShare::tasks).containsExactly(2, 2, 1);
        assertThat(shares(NODES, on("n1", 1), on("n2", 1), on("n9", 1)))
                .extracting(NodeShare::tasks)
                .containsExactly(1, 1, 1);
    }
}
