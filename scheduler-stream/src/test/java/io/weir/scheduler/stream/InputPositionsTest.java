package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.state.PartitionIntake;
import io.weir.scheduler.state.TopicPosition;
import io.weir.scheduler.stream.pacing.Backlog;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class InputPositionsTest {
    private final Backlog backlog = new Backlog();
    private final InputPositions positions = new InputPositions(
            StreamHarness.NAMES, new PartitionIntake(3, List.of(new TopicPosition("rm.jobs", 7L))), backlog);

    @Test
    void shouldBeginWhereTheStoreEndsAndElsewhereAtTheFirstRecord() {
        assertThat(positions.next("rm.jobs")).isEqualTo(7);
        assertThat(positions.next("rm.nodes")).isZero();
    }

    @Test
    void shouldGoOnBehindWhatWasTaken() {
        positions.taken("rm.jobs", 7);
        positions.taken("rm.nodes", 0);

        assertThat(positions.next("rm.jobs")).isEqualTo(8);
        assertThat(positions.toRecord())
                .isEqualTo(new PartitionIntake(
                        3, List.of(new TopicPosition("rm.jobs", 8L), new TopicPosition("rm.nodes", 1L))));
    }

    @Test
    void shouldSeeWhatOfItsPartitionWasReadAndNotTaken() {
        read("weir.rm.jobs", 3, 6);
        read("weir.rm.jobs", 2, 50);
        assertThat(positions.inputsWait()).isFalse();
        assertThat(positions.backlog()).isZero();

        read("weir.rm.jobs", 3, 9);
        read("weir.rm.nodes", 3, 0);

        assertThat(positions.inputsWait()).isTrue();
        assertThat(positions.backlog()).isEqualTo(4);
    }

    @Test
    void shouldCountNoMoreThanThereAreNumbers() {
        read("weir.rm.jobs", 3, Long.MAX_VALUE / 4);

        assertThat(positions.backlog()).isEqualTo(Integer.MAX_VALUE);
    }

    private void read(String topic, int partition, long offset) {
        backlog.read(new ConsumerRecords<>(
                Map.of(
                        new TopicPartition(topic, partition),
                        List.of(new ConsumerRecord<>(topic, partition, offset, "", ""))),
                Map.of()));
    }
}
