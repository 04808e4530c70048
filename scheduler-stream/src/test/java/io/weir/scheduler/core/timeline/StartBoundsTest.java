package io.weir.scheduler.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartBoundsTest {
    private record Bound(int tasks, int seconds, int start) {}

    @Test
    void shouldKnowNothingBeforeItLearns() {
        assertThat(new StartBounds().earliest(1, 1)).isZero();
        assertThat(new StartBounds().later(1, 1, 0)).isFalse();
    }

    @Test
    void shouldImplyWhatAPlainListOfBoundsImplies() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            StartBounds bounds = new StartBounds();
            List<Bound> learned = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                Bound bound = new Bound(1 + random.nextInt(8), 1 + random.nextInt(8), 1 + random.nextInt(100));
                bounds.learn(bound.tasks(), bound.seconds(), bound.start());
                learned.add(bound);
                int tasks = 1 + random.nextInt(8);
                int seconds = 1 + random.nextInt(8);
                int expected = learned.stream()
                        .filter(known -> known.tasks() <= tasks && known.seconds() <= seconds)
                        .mapToInt(Bound::start)
                        .max()
                        .orElse(0);

                assertThat(bounds.earliest(tasks, seconds))
                        .as("seed %d step %d", seed, i)
                        .isEqualTo(expected);
                assertThat(bounds.later(tasks, seconds, expected)).isFalse();
                assertThat(bounds.later(tasks, seconds, expected - 1)).isEqualTo(expected > 0);
            }
        }
    }

    @Test
    void shouldKeepTheStrongestBoundsWhenThereAreTooMany() {
        StartBounds bounds = new StartBounds();
        for (int i = 1; i <= 600; i++) {
            bounds.learn(i, 1000 - i, i);
        }

        assertThat(bounds.earliest(600, 1000)).isEqualTo(600);
        assertThat(bounds.earliest(1, 999)).as("the weakest was dropped").isZero();
    }
}
