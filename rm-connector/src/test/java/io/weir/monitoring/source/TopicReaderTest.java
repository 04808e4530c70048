package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Formats;
import io.weir.monitoring.format.Reading;
import io.weir.service.Readiness;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader of topics does with a message on which a format fails: it must not come back for ever. */
class TopicReaderTest {

    @TempDir
    Path directory;

    @Test
    void shouldCountAMessageOnWhichAFormatFailsAndGoOn() throws Exception {
        try (SourceFixture source = new SourceFixture(directory)) {
            Facts facts = source.intake.take("topic", new Failing(), "x".getBytes(StandardCharsets.UTF_8));

            assertThat(facts.count(Matching.UNREADABLE)).isEqualTo(1);
            assertThat(facts.reason()).contains("failing").contains("IllegalStateException");
            assertThat(source.intake
                            .take(
                                    "topic",
                                    Formats.named("influx").orElseThrow(),
                                    "temp,host=n1 value=1".getBytes(StandardCharsets.UTF_8))
                            .count(Matching.MATCHED))
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldReadOnAfterAFailureThatNobodyForesaw() throws Exception {
        try (SourceFixture source = new SourceFixture(directory)) {
            source.producer.sendException = new IllegalStateException("the registry refuses the schema");
            AtomicInteger opened = new AtomicInteger();
            TopicReader reader = new TopicReader(
                    () -> {
                        if (opened.incrementAndGet() == 2) {
                            source.producer.sendException = null;
                        }
                        return consumer("temp,host=n1 value=1");
                    },
                    Map.of("topic", Formats.named("influx").orElseThrow()),
                    source.intake,
                    new Readiness().declare("topics"));
            reader.start();
            try {
                await().untilAsserted(() -> assertThat(source.metrics()).hasSize(1));
            } finally {
                reader.stop();
            }
        }
    }

    /** A consumer that finds one message. */
    private static Consumer<byte[], byte[]> consumer(String message) {
        TopicPartition partition = new TopicPartition("topic", 0);
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(partition));
            consumer.addRecord(
                    new ConsumerRecord<>("topic", 0, 0, new byte[0], message.getBytes(StandardCharsets.UTF_8)));
        });
        return consumer;
    }

    /** A format with a fault. */
    private static final class Failing implements Format {

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Reading read(byte[] message) {
            throw new IllegalStateException("a fault");
        }
    }
}
