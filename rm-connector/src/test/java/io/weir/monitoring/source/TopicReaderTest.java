package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Formats;
import io.weir.monitoring.format.Reading;
import io.weir.service.Readiness;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
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

    /** So that what waited while nothing read it does not count as news, nor overtakes what is newer on another partition. */
    @Test
    void shouldTakeTheTimeOfARecordForValuesWithoutATimeOfTheirOwn() throws Exception {
        try (SourceFixture source = new SourceFixture(directory)) {
            Instant sent = Instant.parse("2026-03-01T10:00:00Z");
            Instant ahead = Instant.parse("2098-03-01T10:00:00Z");
            TopicReader reader = new TopicReader(
                    () -> consumer(
                            List.of(record("temp,host=n1 value=1", sent), record("temp,host=n2 value=2", ahead))),
                    Map.of("topic", Formats.named("influx").orElseThrow()),
                    source.intake,
                    new Readiness().declare("topics"));
            reader.start();
            try {
                await().untilAsserted(() -> assertThat(source.metrics()).hasSize(2));
            } finally {
                reader.stop();
            }
            assertThat(source.metrics().get(0).getTime()).isEqualTo(sent);
            assertThat(source.metrics().get(1).getTime()).isBetween(sent.plusSeconds(1), Instant.now());
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(String message, Instant sent) {
        byte[] value = message.getBytes(StandardCharsets.UTF_8);
        return new ConsumerRecord<>(
                "topic",
                0,
                message.contains("n1") ? 0 : 1,
                sent.toEpochMilli(),
                TimestampType.CREATE_TIME,
                0,
                value.length,
                new byte[0],
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    /** A consumer that finds one message. */
    private static Consumer<byte[], byte[]> consumer(String message) {
        return consumer(
                List.of(new ConsumerRecord<>("topic", 0, 0, new byte[0], message.getBytes(StandardCharsets.UTF_8))));
    }

    private static Consumer<byte[], byte[]> consumer(List<ConsumerRecord<byte[], byte[]>> records) {
        TopicPartition partition = new TopicPartition("topic", 0);
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(partition));
            records.forEach(consumer::addRecord);
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
