package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KnownFitsTest {
    private static final int SIZES = 12;

    private final KnownFits known = new KnownFits();

    @Test
    void shouldKnowWhatAsksForNoMoreThanWhatFits() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            boolean[][] expected = new boolean[SIZES][SIZES];
            known.in(seed);
            for (int learned = 0; learned < 8; learned++) {
                int tasks = random.nextInt(SIZES);
                int seconds = random.nextInt(SIZES);
                known.learn(tasks, seconds);
                for (int t = 0; t <= tasks; t++) {
                    Arrays.fill(expected[t], 0, seconds + 1, true);
                }
                for (int t = 0; t < SIZES; t++) {
                    for (int s = 0; s < SIZES; s++) {
                        assertThat(known.fits(t, s))
                                .as("seed %d: %d tasks for %d s", seed, t, s)
                                .isEqualTo(expected[t][s]);
                    }
                }
            }
        }
    }

    @Test
    void shouldForgetWhatWasLearnedOfAnotherVersion() {
        known.in(1).learn(4, 100);

        assertThat(known.in(1).fits(4, 100)).isTrue();
        assertThat(known.in(2).fits(4, 100)).isFalse();
        assertThat(known.in(1).fits(4, 100)).isFalse();
    }
}
