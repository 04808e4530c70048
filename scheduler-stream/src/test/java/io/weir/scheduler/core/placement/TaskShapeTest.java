package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskShapeTest {
    /** Of 10 tasks in groups of {@code group}, at least {@code least} and at most {@code most} (0 for any) on a node. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 7, 7",
        "1, 1, 0, 0, 0",
        "3, 1, 0, 7, 6",
        "3, 1, 0, 3, 3",
        "3, 1, 0, 2, 0",
        "1, 4, 0, 4, 4",
        "1, 4, 0, 3, 0",
        "1, 40, 0, 10, 10",
        "1, 40, 0, 9, 0",
        "1, 1, 2, 7, 2",
        "1, 1, 8, 7, 7",
        "2, 1, 5, 7, 4"
    })
    void shouldUseWholeGroupsWithinItsBounds(int group, int least, int most, int room, int usable) {
        TaskShape shape = new TaskShape(10, group, least, new NodeCount(0, 0, most), TaskDistribution.DEFAULT);

        assertThat(shape.usable(room)).isEqualTo(usable);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, true", "1, 0, true", "2, 0, false", "0, 1, false"})
    void shouldSayWhetherAnyNumberOfNodesWillDo(int least, int most, boolean any) {
        TaskShape shape = new TaskShape(10, 1, 1, new NodeCount(least, most, 0), TaskDistribution.DEFAULT);

        assertThat(shape.onAnyNumber()).isEqualTo(any);
    }

    @Test
    void shouldLieAnywhereUnlessSomethingIsSaid() {
        TaskShape shape = TaskShape.of(5);

        assertThat(shape.tasks()).isEqualTo(5);
        assertThat(shape.usable(3)).isEqualTo(3);
        assertThat(shape.onAnyNumber()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 0, 0", "1, 0, 1, 0, 0", "1, 1, 0, 0, 0", "1, 1, 1, -1, 0", "1, 1, 1, 0, -1"})
    void shouldRefuseWhatIsNoShape(int tasks, int group, int least, int leastNodes, int mostNodes) {
        NodeCount count = new NodeCount(leastNodes, mostNodes, 0);

        assertThatThrownBy(() -> new TaskShape(tasks, group, least, count, TaskDistribution.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
