package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@NullUnmarked
class TaskDistributorTest {
    private final TaskDistributor distributor = new TaskDistributor();

    @Test
    void shouldFillNodesInOrder() {
        assertThat(deal(shape(6, 1, 1, 0, TaskDistribution.PACK), 4, 4, 4)).containsExactly(4, 2, 0);
    }

    @Test
    void shouldDealInTurnOverTheFewestNodes() {
        assertThat(deal(shape(6, 1, 1, 0, TaskDistribution.RR), 4, 4, 4)).containsExactly(3, 3, 0);
        assertThat(deal(shape(7, 1, 1, 0, TaskDistribution.RR), 1, 8, 4)).containsExactly(1, 6, 0);
    }

    @Test
    void shouldDisperseOverAsManyNodesAsPossible() {
        assertThat(deal(shape(6, 1, 1, 0, TaskDistribution.DISPERSE), 4, 4, 4)).containsExactly(2, 2, 2);
        assertThat(deal(shape(2, 1, 1, 0, TaskDistribution.DISPERSE), 4, 4, 4)).containsExactly(1, 1, 0);
        assertThat(deal(shape(9, 1, 1, 0, TaskDistribution.DISPERSE), 1, 4, 4)).containsExactly(1, 4, 4);
    }

    @Test
    void shouldKeepGroupsWhole() {
        assertThat(deal(shape(6, 3, 1, 0, TaskDistribution.PACK), 5, 2, 4)).containsExactly(3, 0, 3);
        assertThat(deal(shape(4, 2, 1, 0, TaskDistribution.PACK), 4)).containsExactly(4);
        assertThat(deal(shape(5, 2, 1, 0, TaskDistribution.PACK), 3, 3, 3)).containsExactly(2, 2, 1);
    }

    @Test
    void shouldUseExactlyAsManyNodesAsAsked() {
        assertThat(deal(shape(4, 2, 1, 2, TaskDistribution.PACK), 4)).isNull();
        assertThat(deal(shape(4, 2, 1, 2, TaskDistribution.PACK), 4, 4)).containsExactly(2, 2);
        assertThat(deal(shape(7, 1, 1, 3, TaskDistribution.PACK), 1, 4, 1, 4, 4))
                .containsExactly(1, 4, 0, 2, 0);
        assertThat(deal(shape(8, 1, 1, 2, TaskDistribution.PACK), 1, 4, 1, 4)).containsExactly(0, 4, 0, 4);
        assertThat(deal(shape(9, 1, 1, 2, TaskDistribution.PACK), 1, 4, 1, 4)).isNull();
    }

    @Test
    void shouldGiveEveryNodeTheLeast() {
        assertThat(deal(shape(5, 1, 2, 0, TaskDistribution.PACK), 4, 4)).containsExactly(3, 2);
        assertThat(deal(shape(5, 1, 3, 0, TaskDistribution.PACK), 4, 4)).isNull();
        assertThat(deal(shape(5, 1, 3, 0, TaskDistribution.PACK), 4, 6)).containsExactly(0, 5);
        assertThat(deal(shape(2, 1, 3, 0, TaskDistribution.PACK), 4)).containsExactly(2);
        assertThat(deal(shape(7, 1, 3, 0, TaskDistribution.DISPERSE), 8, 8, 8)).containsExactly(4, 3, 0);
    }

    @RepeatedTest(200)
    void shouldNeverOvercommitNorLoseATask(org.junit.jupiter.api.RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int[] room = random.ints(1 + random.nextInt(8), 0, 9).toArray();
        int exact = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 0;
        TaskShape shape = shape(
                1 + random.nextInt(20),
                1 + random.nextInt(3),
                1,
                exact,
                TaskDistribution.values()[random.nextInt(TaskDistribution.values().length)]);
        int[] taken = deal(shape, room);
        if (taken == null) {
            return;
        }
        int sum = 0;
        int used = 0;
        int odd = 0;
        for (int i = 0; i < room.length; i++) {
            assertThat(taken[i]).isBetween(0, room[i]);
            sum += taken[i];
            used += taken[i] > 0 ? 1 : 0;
            odd += taken[i] % shape.group() == 0 ? 0 : 1;
        }
        assertThat(sum).isEqualTo(shape.tasks());
        assertThat(odd).isEqualTo(shape.tasks() % shape.group() == 0 ? 0 : 1);
        if (exact > 0) {
            assertThat(used).isEqualTo(exact);
        }
    }

    private static TaskShape shape(int tasks, int group, int least, int exact, TaskDistribution distribution) {
        return new TaskShape(tasks, group, least, new NodeCount(exact, exact, 0), distribution);
    }

    private int[] deal(TaskShape shape, int... room) {
        int[] order = new int[room.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        if (!distributor.deal(order, 0, order.length, room, shape)) {
            return null;
        }
        int[] taken = new int[room.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = distributor.taken(i);
        }
        return taken;
    }
}
