package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class SlowAnswersTest {
    private static final String ABOUT = "Schema of subject weir.jobs-value: ";

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final RegistryTrouble registry = RegistryTrouble.at(List.of("http://u:p@reg:8081"));

    @Test
    void shouldTellWhatIsWaitedForAndWhere() throws InterruptedException {
        SlowAnswers answers = new SlowAnswers(registry, Duration.ofSeconds(1), told::add);

        try (SlowAnswers.Waiting waiting = answers.await(ABOUT)) {
            assertThat(told.take())
                    .isEqualTo(ABOUT + "no answer for 1 s, it is waited for (schema registry http://reg:8081)");
        }
    }

    @Test
    void shouldTellOfOneAmongMany() throws InterruptedException {
        SlowAnswers answers = new SlowAnswers(registry, Duration.ofMillis(1), told::add);
        SlowAnswers other = new SlowAnswers(registry, Duration.ofMillis(1), told::add);

        try (SlowAnswers.Waiting first = answers.await(ABOUT)) {
            told.take();
            try (SlowAnswers.Waiting second = answers.await("second");
                    SlowAnswers.Waiting later = other.await("later")) {
                assertThat(told.take()).startsWith("later");
            }
        }
    }

    @Test
    void shouldSayNothingOfAnAnswerInTime() throws InterruptedException {
        SlowAnswers answers = new SlowAnswers(registry, Duration.ofMillis(500), told::add);
        answers.await("in time").close();

        try (SlowAnswers.Waiting late = answers.await("late")) {
            assertThat(told.take()).startsWith("late");
        }
        assertThat(told).isEmpty();
    }
}
