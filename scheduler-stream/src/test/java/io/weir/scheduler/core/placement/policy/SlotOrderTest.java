package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The first of many slots are the same, in the same order, whether or not the others are sorted too. */
@NullUnmarked
class SlotOrderTest {
    private static final int ROUNDS = 3_000;

    private final SlotOrder sorter = new SlotOrder();

    @Test
    void shouldPutTheBestInFrontAndLoseNone() {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            int[] worth = random.ints(1 + random.nextInt(200), 0, 50).toArray();
            SlotOrder.Comparison comparison =
                    (a, b) -> worth[a] != worth[b] ? Integer.compare(worth[b], worth[a]) : Integer.compare(b, a);
            int[] all = slots(worth.length);
            int[] some = slots(worth.length);
            int from = random.nextInt(worth.length);
            int first = 1 + random.nextInt(worth.length);

            sorter.sort(all, from, worth.length, comparison);
            sorter.sortFirst(some, from, worth.length, first, comparison);

            int sorted = Math.min(worth.length, from + first);
            assertThat(Arrays.copyOf(some, sorted)).isEqualTo(Arrays.copyOf(all, sorted));
            assertThat(some).containsExactlyInAnyOrder(slots(worth.length));
        }
    }

    @Test
    void shouldTakeValuesForEqualThatHardlyDiffer() {
        Random random = new Random(2);
        double[] differences = {0, 0, SlotOrder.TIE / 3, SlotOrder.TIE, 2 * SlotOrder.TIE, 1, Double.NaN};
        for (int round = 0; round < ROUNDS; round++) {
            double[] values = random.ints(1 + random.nextInt(200), 0, 4)
                    .mapToDouble(whole -> whole + differences[random.nextInt(differences.length)])
                    .toArray();
            int[] all = slots(values.length);
            int[] some = slots(values.length);
            int first = 1 + random.nextInt(values.length);

            sorter.sortDescending(all, 0, values.length, Integer.MAX_VALUE, values, (a, b) -> Integer.compare(b, a));
            sorter.sortDescending(some, 0, values.length, first, values, (a, b) -> Integer.compare(b, a));

            assertThat(Arrays.copyOf(some, first)).isEqualTo(Arrays.copyOf(all, first));
        }
    }

    private static int[] slots(int count) {
        int[] slots = new int[count];
        Arrays.setAll(slots, i -> i);
        return slots;
    }
}
