package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topics.Topic.Cleanup;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class TopicInspectionTest {
    private final TopicInspection inspection = new TopicInspection();

    @Test
    void shouldFindNothingWrongWithATopicAsItIsMade() {
        inspect(kept(Duration.ofDays(7)), 3, Map.of("retention.ms", "604800000", "min.insync.replicas", "2"));

        assertThat(inspection.problems()).isEmpty();
        assertThat(inspection.warnings()).isEmpty();
    }

    @Test
    void shouldTakeLongerRetentionAndBiggerRecordsForGood() {
        inspect(kept(Duration.ofDays(7)), 1, Map.of("retention.ms", "-1", "max.message.bytes", "5000000"));

        assertThat(inspection.problems()).isEmpty();
        assertThat(inspection.warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfRisksWithTheCommandAgainstEach() {
        inspect(kept(Duration.ofDays(7)), 3, Map.of("retention.ms", "3600000", "min.insync.replicas", "1"));

        assertThat(inspection.problems()).isEmpty();
        assertThat(inspection.warnings())
                .satisfiesExactly(
                        retention -> assertThat(retention).endsWith("--add-config retention.ms=604800000"),
                        inSync -> assertThat(inSync).endsWith("--add-config min.insync.replicas=2"));
    }

    @Test
    void shouldWarnWhereOneBrokerAwayStopsAllWriting() {
        inspect(kept(Duration.ofDays(7)), 3, Map.of("min.insync.replicas", "3"));

        assertThat(inspection.problems()).isEmpty();
        assertThat(inspection.warnings())
                .singleElement()
                .asString()
                .contains("one broker away stops it")
                .endsWith("min.insync.replicas=2");
    }

    @Test
    void shouldWarnWhereASmallRecordMayUnpackToAnySize() {
        inspect(kept(Duration.ofDays(7)), 1, Map.of("compression.type", "producer"));

        assertThat(inspection.problems()).isEmpty();
        assertThat(inspection.warnings()).singleElement().asString().endsWith("compression.type=uncompressed");
    }

    private static TopicNeeds kept(Duration retention) {
        return new TopicNeeds(Cleanup.DELETE, Optional.of(retention), false, 1 << 20, true, Optional.empty());
    }

    private void inspect(TopicNeeds needs, int replicas, Map<String, String> config) {
        Node node = new Node(0, "localhost", 9092);
        TopicPartitionInfo partition = new TopicPartitionInfo(
                0, node, Collections.nCopies(replicas, node), Collections.nCopies(replicas, node));
        inspection.inspect(
                needs,
                new TopicDescription("t", false, List.of(partition)),
                new Config(config.entrySet().stream()
                        .map(entry -> new ConfigEntry(entry.getKey(), entry.getValue()))
                        .toList()));
    }
}
