package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class HeldPositionsTest {
    private static final TopicPartition ONE = new TopicPartition("one", 0);
    private static final TopicPartition OTHER = new TopicPartition("other", 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");

    @Test
    void shouldTakeThePositionsThatThereAre() {
        consumer.assign(List.of(ONE));
        consumer.commitSync(Map.of(ONE, new OffsetAndMetadata(3)));
        Map<TopicPartition, OffsetAndMetadata> moved = Map.of(OTHER, new OffsetAndMetadata(7));

        assertThat(HeldPositions.orHeld(moved, consumer)).isEqualTo(moved);
    }

    @Test
    void shouldHoldOnePositionWhereNoneIsMovedSoThatTheBrokerAsksWhoWrites() {
        consumer.assign(List.of(OTHER, ONE));
        consumer.commitSync(Map.of(ONE, new OffsetAndMetadata(3)));

        assertThat(HeldPositions.orHeld(Map.of(), consumer)).isEqualTo(Map.of(ONE, new OffsetAndMetadata(3)));
    }

    @Test
    void shouldHoldNothingWithoutAPartition() {
        assertThat(HeldPositions.orHeld(Map.of(), consumer)).isEmpty();
    }
}
