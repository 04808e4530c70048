package io.weir.loop.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.loop.turn.ProcessKilledError;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Kafka promises, and what the simulated broker has to, too. */
class SimulatedLogTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Turns turns = new Turns(new Random(1), threads, 100_000);
    private final SimulatedLog log = new SimulatedLog(turns, LogFaults.NONE);
    private final SimulatedProcess one = new SimulatedProcess(turns, "one");
    private final SimulatedProcess other = new SimulatedProcess(turns, "other");
    private final List<Throwable> failures = new ArrayList<>();

    SimulatedLogTest() {
        log.create("t", new TopicShape(1, false, 10_000, 1_000));
    }

    @AfterEach
    void endThreads() {
        turns.end();
        threads.shutdown();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldShowAnOrdinaryRecordToEveryReader() {
        run(one, () -> send(producer(one, Map.of()), "a"));

        assertThat(read(true)).containsExactly("a");
        assertThat(read(false)).containsExactly("a");
    }

    @Test
    void shouldHideAnOpenTransactionAndAllBehindItFromReadersOfCommittedRecords() {
        run(one, () -> {
            Producer<byte[], byte[]> transactional = begun(one, "x");
            send(transactional, "open");
            transactional.flush();
            send(producer(one, Map.of()), "behind");
        });

        assertThat(read(true)).isEmpty();
        assertThat(read(false)).containsExactly("open", "behind");
        assertThat(log.stableEnd(PARTITION)).isZero();
    }

    @Test
    void shouldShowACommittedTransactionAndNeverAnAbortedOne() {
        run(one, () -> {
            Producer<byte[], byte[]> transactional = begun(one, "x");
            send(transactional, "aborted");
            transactional.flush();
            transactional.abortTransaction();
            transactional.beginTransaction();
            send(transactional, "committed");
            transactional.commitTransaction();
        });

        assertThat(read(true)).containsExactly("committed");
        assertThat(log.stableEnd(PARTITION)).as("two records, two markers").isEqualTo(4);
    }

    @Test
    void shouldAbortAndFenceTheOlderProducerOfATransactionalId() {
        run(one, () -> {
            Producer<byte[], byte[]> older = begun(one, "x");
            send(older, "older");
            older.flush();
            Producer<byte[], byte[]> newer = begun(one, "x");
            send(newer, "newer");
            newer.commitTransaction();

            assertThatThrownBy(older::commitTransaction).isInstanceOf(ProducerFencedException.class);
            assertThatThrownBy(() -> send(older, "zombie")).isInstanceOf(ProducerFencedException.class);
        });

        assertThat(read(true)).containsExactly("newer");
    }

    @Test
    void shouldLetTheOlderProducerWriteWhenTheBrokerDoesNotFence() {
        SimulatedLog careless = new SimulatedLog(turns, new LogFaults(true));
        careless.create("t", new TopicShape(1, false, 10_000, 1_000));
        run(one, () -> {
            Producer<byte[], byte[]> older = careless.producer(one, Map.of("transactional.id", "x"));
            older.initTransactions();
            older.beginTransaction();
            send(older, "older");
            Producer<byte[], byte[]> newer = careless.producer(one, Map.of("transactional.id", "x"));
            newer.initTransactions();
            older.commitTransaction();
        });

        assertThat(careless.committed(PARTITION)).hasSize(1);
    }

    @Test
    void shouldAbortATransactionThatLastsTooLongAndFenceItsProducer() {
        run(one, () -> {
            Producer<byte[], byte[]> slow =
                    producer(one, Map.of("transactional.id", "x", "transaction.timeout.ms", 10_000));
            slow.initTransactions();
            slow.beginTransaction();
            send(slow, "slow");
            slow.flush();
            turns.sleep(Duration.ofSeconds(11));

            assertThatThrownBy(slow::commitTransaction).isInstanceOf(ProducerFencedException.class);
        });

        assertThat(read(true)).isEmpty();
        assertThat(log.stableEnd(PARTITION)).isEqualTo(2);
    }

    @Test
    void shouldMovePositionsWithTheTransactionAndMakeReadersOfThemWait() {
        Map<TopicPartition, OffsetAndMetadata> position = Map.of(PARTITION, new OffsetAndMetadata(7));
        run(one, () -> {
            Consumer<byte[], byte[]> consumer = consumer(one, Map.of("group.id", "g"));
            Producer<byte[], byte[]> first = begun(one, "x");
            first.sendOffsetsToTransaction(position, consumer.groupMetadata());
            assertThatThrownBy(() -> consumer.committed(Set.of(PARTITION))).isInstanceOf(TimeoutException.class);
            first.abortTransaction();
            assertThat(consumer.committed(Set.of(PARTITION))).isEmpty();

            first.beginTransaction();
            first.sendOffsetsToTransaction(position, consumer.groupMetadata());
            first.commitTransaction();
            assertThat(consumer.committed(Set.of(PARTITION))).isEqualTo(position);
        });
    }

    @Test
    void shouldGiveThePartitionsOfAFrozenMemberToAnotherAndRefuseItsPositions() {
        Members members = new Members();
        run(
                one,
                () -> {
                    Consumer<byte[], byte[]> consumer = consumer(one, Map.of("group.id", "g"));
                    Producer<byte[], byte[]> producer = begun(one, "x");
                    consumer.subscribe(List.of("t"), members.of("one"));
                    consumer.poll(SECOND);
                    one.freezeUntil(turns.now() + 30_000_000);
                    turns.sleep(SECOND);
                    assertThatThrownBy(() -> producer.sendOffsetsToTransaction(
                                    Map.of(PARTITION, new OffsetAndMetadata(1)), consumer.groupMetadata()))
                            .isInstanceOf(CommitFailedException.class);
                    consumer.poll(SECOND);
                },
                other,
                () -> {
                    turns.sleep(SECOND);
                    Consumer<byte[], byte[]> consumer = consumer(other, Map.of("group.id", "g"));
                    consumer.subscribe(List.of("t"), members.of("other"));
                    consumer.poll(Duration.ofSeconds(40));
                    turns.sleep(Duration.ofSeconds(20));
                });

        assertThat(members.told).containsExactly("one+", "other+", "one!");
    }

    @Test
    void shouldHandPartitionsToTheNextProcessOfAnInstanceAndFenceTheFirst() {
        Members members = new Members();
        Map<String, Object> settings = Map.of("group.id", "g", "group.instance.id", "i");
        run(one, () -> {
            Consumer<byte[], byte[]> first = consumer(one, settings);
            first.subscribe(List.of("t"), members.of("first"));
            first.poll(SECOND);
            Consumer<byte[], byte[]> second = consumer(one, settings);
            second.subscribe(List.of("t"), members.of("second"));
            second.poll(SECOND);
            assertThatThrownBy(() -> first.poll(SECOND)).isInstanceOf(FencedInstanceIdException.class);
        });

        assertThat(members.told).containsExactly("first+", "second+");
    }

    @Test
    void shouldRefuseRecordsThatAreTooLargeForTheProducerOrTheTopic() {
        run(one, () -> {
            Producer<byte[], byte[]> modest = producer(one, Map.of("max.request.size", 1_000));
            assertThatThrownBy(() -> modest.send(record("x".repeat(2_000))).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            Producer<byte[], byte[]> plain = producer(one, Map.of());
            assertThatThrownBy(() -> plain.send(record("x".repeat(20_000))).get())
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            Producer<byte[], byte[]> compressing = producer(one, Map.of("compression.type", "gzip"));
            assertThat(compressing.send(record("x".repeat(20_000))).get().offset())
                    .isZero();
        });
    }

    @Test
    void shouldWriteWhatIsUnderWayWhenTheBrokerComesBack() {
        run(one, () -> {
            Producer<byte[], byte[]> producer = producer(one, Map.of());
            log.awayUntil(turns.now() + 5_000_000);
            send(producer, "late");
            producer.flush();
            assertThat(turns.now()).isGreaterThan(5_000_000);
        });

        assertThat(read(true)).containsExactly("late");
    }

    @Test
    void shouldGiveUpWhatCannotBeWrittenInTime() {
        run(one, () -> {
            Producer<byte[], byte[]> producer = producer(one, Map.of("delivery.timeout.ms", 1_000));
            log.awayUntil(turns.now() + 60_000_000);
            assertThatThrownBy(() -> producer.send(record("lost")).get()).hasCauseInstanceOf(TimeoutException.class);
        });

        assertThat(read(true)).isEmpty();
    }

    @Test
    void shouldKeepTheOrderOfAPartitionAndLoseOnlyATailToAKill() {
        run(one, () -> {
            Producer<byte[], byte[]> producer = producer(one, Map.of());
            for (int i = 0; i < 50; i++) {
                send(producer, Integer.toString(i));
            }
            one.kill();
            assertThatThrownBy(() -> send(producer, "dead")).isInstanceOf(ProcessKilledError.class);
        });

        List<String> read = read(true);
        assertThat(read).isNotEmpty().hasSizeLessThan(50);
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i)).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void shouldKeepTheLatestRecordOfEachKeyInClosedSegmentsWhenCompacted() {
        run(one, () -> {
            Producer<byte[], byte[]> producer = producer(one, Map.of());
            for (String text : List.of("a=1", "b=1", "a=2", "b=", "c=1")) {
                String[] parts = text.split("=", -1);
                long timestamp = parts[0].equals("c") ? 5_000 : 1_000;
                var unused = producer.send(new ProducerRecord<>(
                        "t", null, timestamp, bytes(parts[0]), parts[1].isEmpty() ? null : bytes(parts[1])));
            }
            producer.flush();
            log.compact("t", false);
        });

        assertThat(log.committed(PARTITION))
                .extracting(record -> record.offset())
                .containsExactly(2L, 3L, 4L);
        log.compact("t", true);
        assertThat(log.committed(PARTITION))
                .extracting(record -> record.offset())
                .containsExactly(2L, 4L);
        assertThat(log.stableEnd(PARTITION)).isEqualTo(5);
    }

    @Test
    void shouldDeleteOldRecordsAndTellReadersWhosePositionIsGone() {
        run(one, () -> {
            Producer<byte[], byte[]> producer = producer(one, Map.of());
            for (long timestamp = 1; timestamp <= 3; timestamp++) {
                var unused = producer.send(
                        new ProducerRecord<>("t", null, timestamp, bytes("k"), bytes(Long.toString(timestamp))));
            }
            producer.flush();
            log.retain("t", 3);
            Consumer<byte[], byte[]> consumer = consumer(one, Map.of("auto.offset.reset", "earliest"));
            consumer.assign(List.of(PARTITION));
            consumer.seek(PARTITION, 0);
            assertThat(consumer.poll(SECOND).records(PARTITION))
                    .extracting(record -> record.offset())
                    .containsExactly(2L);
        });
    }

    private void run(SimulatedProcess process, Body body) {
        run(process, body, other, () -> {});
    }

    private void run(SimulatedProcess process, Body body, SimulatedProcess second, Body secondBody) {
        start(process, body);
        start(second, secondBody);
        turns.run(turns.now() + 100_000_000);
        assertThat(failures).isEmpty();
    }

    private void start(SimulatedProcess process, Body body) {
        turns.start(
                process,
                () -> {
                    try {
                        body.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                thrown -> {
                    if (thrown != null) {
                        failures.add(thrown);
                    }
                });
    }

    private Producer<byte[], byte[]> begun(SimulatedProcess process, String id) {
        Producer<byte[], byte[]> producer =
                producer(process, Map.of("transactional.id", id, "transaction.timeout.ms", 1_000_000));
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    private Producer<byte[], byte[]> producer(SimulatedProcess process, Map<String, Object> settings) {
        return log.producer(process, settings);
    }

    private Consumer<byte[], byte[]> consumer(SimulatedProcess process, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("isolation.level", "read_committed");
        all.put("session.timeout.ms", 10_000);
        all.put("default.api.timeout.ms", 5_000);
        return log.consumer(process, all);
    }

    private List<String> read(boolean committed) {
        List<String> values = new ArrayList<>();
        start(other, () -> {
            Consumer<byte[], byte[]> consumer = log.consumer(
                    other,
                    Map.of(
                            "isolation.level",
                            committed ? "read_committed" : "read_uncommitted",
                            "auto.offset.reset",
                            "earliest"));
            consumer.assign(List.of(PARTITION));
            consumer.poll(Duration.ZERO)
                    .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
        });
        turns.run(turns.now() + 100_000_000);
        return values;
    }

    private static void send(Producer<byte[], byte[]> producer, String value) {
        var unused = producer.send(record(value));
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("t", bytes("k"), bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Body {
        void run() throws Exception;
    }

    /** Notes who was told what about partitions. */
    private static final class Members {
        private final List<String> told = new ArrayList<>();

        ConsumerRebalanceListener of(String name) {
            return new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    told.add(name + "+");
                }

                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    told.add(name + "-");
                }

                @Override
                public void onPartitionsLost(Collection<TopicPartition> partitions) {
                    told.add(name + "!");
                }
            };
        }
    }
}
