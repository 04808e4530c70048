package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.stream.Rewriting;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class ChangelogWatchTest {
    private static final String ENTITIES = "weir-scheduler-entities-changelog";
    private static final String INTAKE = "weir-scheduler-intake-changelog";

    private final Rewriting rewriting = new Rewriting();
    private final AtomicInteger madeAnew = new AtomicInteger();
    private final ChangelogWatch watch = new ChangelogWatch(
            List.of(ENTITIES, INTAKE), rewriting, madeAnew::incrementAndGet, partition -> partition == 0);

    @Test
    void shouldHaveTheStateWrittenToATopicThatWasMadeAnew() {
        Uuid first = Uuid.randomUuid();
        watch.seen(ENTITIES, first, 2);
        watch.seen(INTAKE, Uuid.randomUuid(), 2);
        watch.seen(ENTITIES, first, 2);
        assertThat(rewriting).hasToString("[]");

        watch.seen(ENTITIES, Uuid.randomUuid(), 2);

        assertThat(rewriting).hasToString("[0, 1]");
        assertThat(madeAnew).hasValue(1);
    }

    @Test
    void shouldHaveTheStateWrittenToATopicOfWhichRecordsWereRemoved() {
        watch.begins(new TopicPartition(ENTITIES, 0), 0);
        watch.begins(new TopicPartition(ENTITIES, 1), 0);
        watch.begins(new TopicPartition(ENTITIES, 1), 0);
        assertThat(rewriting).hasToString("[]");

        watch.begins(new TopicPartition(ENTITIES, 1), 17);

        assertThat(rewriting).hasToString("[1]");
        assertThat(madeAnew).hasValue(0);
    }

    /** Where there is no copy, what is left is all there is. */
    @Test
    void shouldHaveTheStateWrittenWhereThisMachineHasACopyOfWhatWasRemovedBeforeTheStart() {
        watch.begins(new TopicPartition(ENTITIES, 0), 17);
        watch.begins(new TopicPartition(ENTITIES, 1), 17);

        assertThat(rewriting).hasToString("[0]");
    }

    @Test
    void shouldExpectNothingOfATopicThatWasMadeAnewWhereTheFormerOneBegan() {
        watch.seen(ENTITIES, Uuid.randomUuid(), 2);
        watch.begins(new TopicPartition(ENTITIES, 0), 17);
        watch.seen(ENTITIES, Uuid.randomUuid(), 2);

        watch.begins(new TopicPartition(ENTITIES, 0), 0);
        watch.begins(new TopicPartition(ENTITIES, 0), 3);

        assertThat(rewriting).hasToString("[0, 1]");
    }
}
