package io.weir.scheduler.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChangeStampsTest {
    private final ChangeStamps stamps = new ChangeStamps();

    @Test
    void shouldTellOfNothingAtFirst() {
        assertThat(stamps.since(0, 10).isEmpty()).isTrue();
    }

    @Test
    void shouldTellEachReaderWhatChangedSinceItsOwnLastQuestion() {
        stamps.mark(3);
        long first = stamps.now();
        stamps.mark(5);
        long second = stamps.now();
        stamps.mark(3);

        assertThat(stamps.since(0, 10)).isEqualTo(positions(3, 5));
        assertThat(stamps.since(first, 10)).isEqualTo(positions(3, 5));
        assertThat(stamps.since(second, 10)).isEqualTo(positions(3));
        assertThat(stamps.since(stamps.now(), 10).isEmpty()).isTrue();
    }

    @Test
    void shouldSayNothingOfPositionsThatAreNoMore() {
        stamps.mark(1);
        stamps.mark(40);

        assertThat(stamps.since(0, 40)).isEqualTo(positions(1));
    }

    @Test
    void shouldAgreeWithASetOfAllThatChanged() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            ChangeStamps some = new ChangeStamps();
            SortedSet<Integer> expected = new TreeSet<>();
            long seen = 0;
            for (int i = 0; i < 200; i++) {
                int position = random.nextInt(1 + random.nextInt(100));
                some.mark(position);
                expected.add(position);
                if (random.nextInt(10) == 0) {
                    assertThat(some.since(seen, 100).stream().boxed())
                            .as("seed %d", seed)
                            .containsExactlyElementsOf(expected);
                    seen = some.now();
                    expected.clear();
                }
            }
        }
    }

    private static BitSet positions(int... all) {
        BitSet set = new BitSet();
        for (int position : all) {
            set.set(position);
        }
        return set;
    }
}
