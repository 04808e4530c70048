package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
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
    void shouldUseTheFewestNodesOfARangeWhereThatIsAskedFor() {
        assertThat(deal(new TaskShape(4, 1, 1, new NodeCount(1, 3, 0), TaskDistribution.PACK), 2, 4, 4))
                .containsExactly(2, 1, 1);
        assertThat(deal(fewest(4, 1, 3), 2, 4, 4)).containsExactly(0, 4, 0);
        assertThat(deal(fewest(5, 1, 3), 2, 4, 4)).containsExactly(2, 3, 0);
        assertThat(deal(fewest(2, 2, 3), 4, 4, 4)).containsExactly(1, 1, 0);
        assertThat(deal(fewest(7, 1, 3), 2, 2, 3)).containsExactly(2, 2, 3);
        assertThat(deal(fewest(7, 1, 2), 2, 2, 3)).isNull();
        assertThat(deal(fewest(2, 1, 3), List.of(2), 4, 4, 1)).containsExactly(1, 0, 1);
    }

    @Test
    void shouldUseOneNodeOfAnyNumberWhereThatHasRoom() {
        assertThat(deal(shape(3, 1, 1, 0, TaskDistribution.PACK), 1, 4, 3)).containsExactly(1, 2, 0);
        assertThat(deal(fewest(3, 0, 0), 1, 4, 3)).containsExactly(0, 3, 0);
        assertThat(deal(fewest(3, 2, 0), 1, 4, 3)).containsExactly(1, 2, 0);
        assertThat(deal(fewest(5, 0, 0), 1, 1, 3, 2)).containsExactly(0, 0, 3, 2);
        assertThat(deal(fewest(6, 0, 0), 1, 1, 3, 2)).containsExactly(1, 0, 3, 2);
        assertThat(deal(fewest(8, 0, 0), 1, 1, 3, 2)).isNull();
        NodeCount any = new NodeCount(0, 0, 0, true, false);
        assertThat(deal(new TaskShape(3, 1, 1, any, TaskDistribution.RR), 1, 4, 3))
                .containsExactly(0, 3, 0);
        assertThat(deal(new TaskShape(3, 1, 1, any, TaskDistribution.DISPERSE), 1, 4, 3))
                .containsExactly(1, 1, 1);
        NodeCount two = new NodeCount(2, 0, 0, true, false);
        assertThat(deal(new TaskShape(3, 1, 1, two, TaskDistribution.DISPERSE), 1, 4, 3))
                .containsExactly(1, 1, 1);
    }

    private static TaskShape fewest(int tasks, int least, int most) {
        return new TaskShape(tasks, 1, 1, new NodeCount(least, most, 0, true, false), TaskDistribution.PACK);
    }

    @Test
    void shouldGiveEveryNodeTheLeast() {
        assertThat(deal(shape(5, 1, 2, 0, TaskDistribution.PACK), 4, 4)).containsExactly(3, 2);
        assertThat(deal(shape(5, 1, 3, 0, TaskDistribution.PACK), 4, 4)).isNull();
        assertThat(deal(shape(5, 1, 3, 0, TaskDistribution.PACK), 4, 6)).containsExactly(0, 5);
        assertThat(deal(shape(2, 1, 3, 0, TaskDistribution.PACK), 4)).containsExactly(2);
        assertThat(deal(shape(7, 1, 3, 0, TaskDistribution.DISPERSE), 8, 8, 8)).containsExactly(4, 3, 0);
    }

    @Test
    void shouldGiveTasksToRequiredNodesFirstAndToOthersWhatTheseLeave() {
        assertThat(deal(shape(3, 1, 1, 0, TaskDistribution.PACK), List.of(2), 4, 4, 4))
                .containsExactly(0, 0, 3);
        assertThat(deal(shape(6, 1, 1, 0, TaskDistribution.PACK), List.of(2), 4, 4, 4))
                .containsExactly(2, 0, 4);
        assertThat(deal(shape(4, 1, 1, 0, TaskDistribution.PACK), List.of(1, 2), 4, 4, 4))
                .containsExactly(0, 3, 1);
        assertThat(deal(shape(4, 1, 1, 3, TaskDistribution.PACK), List.of(2), 4, 4, 4))
                .containsExactly(1, 1, 2);
        assertThat(deal(shape(5, 1, 1, 2, TaskDistribution.PACK), List.of(0), 1, 2, 4))
                .containsExactly(1, 0, 4);
        assertThat(deal(shape(4, 2, 1, 0, TaskDistribution.RR), List.of(2), 4, 4, 2))
                .containsExactly(2, 0, 2);
        assertThat(deal(shape(1, 1, 1, 0, TaskDistribution.PACK), List.of(1, 2), 4, 4, 4))
                .isNull();
        assertThat(deal(shape(4, 1, 1, 1, TaskDistribution.PACK), List.of(1, 2), 4, 4, 4))
                .isNull();
        assertThat(deal(shape(2, 1, 1, 0, TaskDistribution.PACK), List.of(1), 4, 0, 4))
                .isNull();
    }

    /** Compared with a search of all deals. */
    @RepeatedTest(300)
    void shouldFindADealOverTheRequiredNodesWhereThereIsOne(org.junit.jupiter.api.RepetitionInfo repetition) {
        Random random = new Random(-repetition.getCurrentRepetition());
        int[] room = random.ints(1 + random.nextInt(6), 0, 5).toArray();
        int exact = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0;
        TaskShape shape = shape(
                1 + random.nextInt(10),
                1,
                1,
                exact,
                TaskDistribution.values()[random.nextInt(TaskDistribution.values().length)]);
        TreeSet<Integer> required = new TreeSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            required.add(random.nextInt(room.length));
        }
        int[] taken = deal(shape, List.copyOf(required), room);
        int sum = 0;
        int usable = 0;
        boolean each = required.size() <= shape.tasks() && (exact == 0 || required.size() <= exact);
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < room.length; i++) {
            if (required.contains(i)) {
                each &= room[i] > 0;
                sum += room[i];
                usable++;
            } else if (room[i] > 0) {
                others.add(room[i]);
            }
        }
        others.sort(Comparator.reverseOrder());
        for (int other : others) {
            if (exact == 0 || usable < exact) {
                sum += other;
                usable++;
            }
        }
        boolean possible = each && sum >= shape.tasks() && (exact == 0 || (usable == exact && shape.tasks() >= exact));
        assertThat(taken != null).isEqualTo(possible);
        for (int i = 0; taken != null && i < room.length; i++) {
            assertThat(taken[i]).isBetween(required.contains(i) ? 1 : 0, room[i]);
        }
        assertThat(taken == null ? shape.tasks() : Arrays.stream(taken).sum()).isEqualTo(shape.tasks());
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
        return deal(shape, List.of(), room);
    }

    private int[] deal(TaskShape shape, List<Integer> required, int... room) {
        BitSet slots = new BitSet();
        required.forEach(slots::set);
        distributor.require(slots);
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
