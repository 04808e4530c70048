package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.TaskDistribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

@NullUnmarked
class SetChoiceTest {
    private final TaskDistributor distributor = new TaskDistributor();

    @Test
    void shouldTakeTheSmallestRunFromItsLowEnd() {
        int[] free = {1, 2, 3, 5, 6, 8};
        assertThat(run(free, 1)).containsExactly(8);
        assertThat(run(free, 2)).containsExactly(5, 6);
        assertThat(run(free, 3)).containsExactly(1, 2, 3);
        assertThat(run(free, 4)).isEmpty();
        assertThat(run(new int[] {9, 8, 3, 1, 2, 7, 20}, 2)).containsExactly(1, 2);
    }

    @Test
    void shouldNotLeaveGapsWithinARun() {
        int[] index = {1, 2, 3, 4};
        int[] room = {2, 1, 2, 2};
        TaskShape pairs = new TaskShape(4, 2, 1, 0, TaskDistribution.PACK);
        int[] slots = {0, 1, 2, 3};
        int length = new ContiguousChoice().choose(slots, 4, index, room, pairs, distributor);
        assertThat(length).isEqualTo(2);
        assertThat(Arrays.copyOf(slots, 2)).containsExactly(2, 3);
        assertThat(distributor.taken(0)).isEqualTo(2);
    }

    @Test
    void shouldMinimiseTheSpanOfSpeeds() {
        double[] speeds = {500, 500, 500, 750, 750, 800, 800, 1000};
        assertThat(balance(speeds, 1)).containsExactly(1000.0);
        assertThat(balance(speeds, 2)).containsExactly(800.0, 800.0);
        assertThat(balance(speeds, 3)).containsExactly(500.0, 500.0, 500.0);
        assertThat(balance(speeds, 4)).containsExactly(750.0, 750.0, 800.0, 800.0);
        assertThat(balance(speeds, 8)).hasSize(8);
        assertThat(balance(speeds, 9)).isEmpty();
    }

    @RepeatedTest(200)
    void shouldFindTheLeastSpanOfAll(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        double[] speeds =
                random.ints(1 + random.nextInt(9), 1, 12).asDoubleStream().toArray();
        int tasks = 1 + random.nextInt(speeds.length);
        double[] sorted = speeds.clone();
        Arrays.sort(sorted);
        double least = Double.POSITIVE_INFINITY;
        double fastest = 0;
        for (int from = 0; from + tasks <= sorted.length; from++) {
            double span = sorted[from + tasks - 1] - sorted[from];
            if (span <= least) {
                least = span;
                fastest = sorted[from];
            }
        }
        List<Double> chosen = balance(speeds, tasks);
        assertThat(chosen).hasSize(tasks);
        assertThat(chosen.get(0)).isEqualTo(fastest);
        assertThat(chosen.get(tasks - 1)).isEqualTo(fastest + least);
    }

    private List<Integer> run(int[] index, int tasks) {
        int[] slots = slots(index.length);
        int[] room = new int[index.length];
        Arrays.fill(room, 1);
        int length = new ContiguousChoice().choose(slots, slots.length, index, room, TaskShape.of(tasks), distributor);
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (distributor.taken(i) > 0) {
                taken.add(index[slots[i]]);
            }
        }
        return taken;
    }

    private List<Double> balance(double[] speeds, int tasks) {
        int[] slots = slots(speeds.length);
        int[] room = new int[speeds.length];
        Arrays.fill(room, 1);
        int length = new BalancedChoice()
                .choose(
                        slots,
                        slots.length,
                        speeds,
                        room,
                        TaskShape.of(tasks),
                        distributor,
                        (a, b) -> Integer.compare(b, a));
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (distributor.taken(i) > 0) {
                taken.add(speeds[slots[i]]);
            }
        }
        taken.sort(null);
        return taken;
    }

    private static int[] slots(int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = i;
        }
        return slots;
    }
}
