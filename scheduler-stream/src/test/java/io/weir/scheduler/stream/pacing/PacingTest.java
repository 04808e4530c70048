package io.weir.scheduler.stream.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PacingTest {
    private long nanos = 1_000;
    private boolean waiting = true;
    private final Backlog backlog = new Backlog();
    private final Pacing pacing = new Pacing(new Pace(backlog, () -> nanos, 25), () -> waiting);

    @Test
    void shouldPermitTheFirstIteration() {
        pacing.unitBegins();
        assertThat(pacing.permits()).isTrue();
    }

    @Test
    void shouldRestThreeTimesAsLongAsIterationAndCommitTookWithAShareOfAQuarter() {
        iteration(40);
        nanos += 60; // the commit
        pacing.unitBegins();
        nanos += 299;
        assertThat(permitsInANewUnit()).isFalse();
        nanos += 1;
        assertThat(permitsInANewUnit()).isTrue();
    }

    @Test
    void shouldNotRestWhenNothingWaits() {
        iteration(40);
        waiting = false;
        assertThat(permitsInANewUnit()).isTrue();
    }

    @Test
    void shouldNotCountAWaitForInputsAsCost() {
        waiting = false;
        iteration(40);
        nanos += 5_000; // nothing to do
        waiting = true;
        iteration(1);
        nanos += 99; // the commit
        pacing.unitBegins();
        nanos += 300;
        assertThat(permitsInANewUnit()).isTrue();
    }

    @Test
    void shouldAnswerAllClustersOfATaskAlikeWithinAUnit() {
        iteration(40);
        pacing.unitBegins();
        nanos += 120;
        pacing.unitBegins();
        assertThat(pacing.permits()).isTrue();
        iterate(1_000);
        assertThat(pacing.permits()).isTrue();
        assertThat(permitsInANewUnit()).isFalse();
    }

    @Test
    void shouldNotRestAtAllWithTheWholeShare() {
        assertThat(new Pace(backlog, () -> nanos, 100).restAfter(5_000)).isZero();
    }

    @Test
    void shouldRefuseAShareThatIsNone() {
        assertThatThrownBy(() -> new Pace(backlog, () -> nanos, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 %");
    }

    @Test
    void shouldTakeSharesFromOnePercentToTheWhole() {
        assertThat(new Pace(backlog, () -> nanos, 1).restAfter(10)).isEqualTo(990);
        assertThatThrownBy(() -> new Pace(backlog, () -> nanos, 101))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("101 %");
    }

    @Test
    void shouldCountWhatWasReadFromThePositionOn() {
        TopicPartition partition = new TopicPartition("facts", 0);
        backlog.read(new ConsumerRecords<>(
                Map.of(partition, List.of(new ConsumerRecord<>("facts", 0, 7, "", ""))), Map.of()));

        assertThat(backlog.waiting(partition, 5)).isEqualTo(3);
        assertThat(backlog.waiting(partition, 7)).isEqualTo(1);
        assertThat(backlog.waiting(partition, 20)).isZero();
    }

    /** What an iteration found waiting counts, not what waits when the next one is asked for. */
    @Test
    void shouldNotRestForTheCommitOfAnIterationBehindWhichNothingWaited() {
        waiting = false;
        iteration(40);
        nanos += 60; // the commit
        waiting = true;
        pacing.unitBegins();
        nanos += 60;

        assertThat(pacing.permits()).as("three times the iteration alone").isTrue();
    }

    @Test
    void shouldSeeWhatWasReadAndNotTakenIn() {
        TopicPartition partition = new TopicPartition("facts", 0);
        assertThat(backlog.waits(partition, 0)).isFalse();
        backlog.read(new ConsumerRecords<>(
                Map.of(
                        partition,
                        List.of(
                                new ConsumerRecord<>("facts", 0, 4, "", ""),
                                new ConsumerRecord<>("facts", 0, 7, "", ""))),
                Map.of()));

        assertThat(backlog.waits(partition, 5)).isTrue();
        assertThat(backlog.waits(partition, 7)).isTrue();
        assertThat(backlog.waits(partition, 8)).isFalse();
    }

    private void iteration(long cost) {
        pacing.unitBegins();
        iterate(cost);
    }

    private void iterate(long cost) {
        pacing.iterate(() -> nanos += cost);
    }

    private boolean permitsInANewUnit() {
        pacing.unitBegins();
        return pacing.permits();
    }
}
