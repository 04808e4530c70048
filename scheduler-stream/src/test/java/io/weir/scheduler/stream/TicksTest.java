package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ticks of a task once in four milliseconds; the clock stands at 1000. */
class TicksTest {
    private static final Duration INTERVAL = Duration.ofMillis(4);

    private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>(
            properties(), new TaskId(0, 0), Path.of("target", "harness").toFile());
    private int ticked;
    private final Ticks ticks = new Ticks(context, INTERVAL, () -> ticked++);

    private static Properties properties() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        return properties;
    }

    @BeforeEach
    void start() {
        context.setCurrentSystemTimeMs(1_000);
        ticks.start();
    }

    @Test
    void shouldTickByThisMachinesClock() {
        assertThat(scheduled()).singleElement().satisfies(one -> {
            assertThat(one.getInterval()).isEqualTo(INTERVAL);
            assertThat(one.getType()).isEqualTo(PunctuationType.WALL_CLOCK_TIME);
        });

        scheduled().get(0).getPunctuator().punctuate(1_004);

        assertThat(ticked).isEqualTo(1);
    }

    @Test
    void shouldBeginAnewWhenTheClockIsSetBackBehindTheLastTick() {
        CapturedPunctuator first = scheduled().get(0);
        first.getPunctuator().punctuate(2_000);
        context.setCurrentSystemTimeMs(2_000);
        ticks.watchClock();
        assertThat(first.cancelled()).as("it has not moved").isFalse();

        context.setCurrentSystemTimeMs(1_999);
        ticks.watchClock();

        assertThat(first.cancelled()).isTrue();
        assertThat(scheduled()).hasSize(1);
    }

    @Test
    void shouldBeginAnewWhenTheClockIsSetBackBeforeTheFirstTick() {
        CapturedPunctuator first = scheduled().get(0);
        context.setCurrentSystemTimeMs(999);

        ticks.watchClock();

        assertThat(first.cancelled()).isTrue();
    }

    @Test
    void shouldTickNoMoreWhenTheyAreStopped() {
        ticks.stop();

        assertThat(scheduled()).isEmpty();
    }

    @Test
    void shouldReplaceTheTicksThatAreScheduledWhenTheyBeginAnew() {
        ticks.start();

        assertThat(scheduled()).hasSize(1);
    }

    private List<CapturedPunctuator> scheduled() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList();
    }
}
