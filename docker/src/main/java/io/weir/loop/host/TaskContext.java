package io.weir.loop.host;

import io.weir.loop.turn.SimulatedProcess;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** What a task offers its processor. */
final class TaskContext implements ProcessorContext<byte[], byte[]> {
    private final String application;
    private final TaskId id;
    private final SimulatedProcess process;
    private final SimulatedStores stores;
    private final BiConsumer<Record<byte[], byte[]>, String> children;
    private final List<Punctuation> punctuations = new ArrayList<>();
    private @Nullable ConsumerRecord<byte[], byte[]> current;
    private boolean commitRequested;

    TaskContext(
            String application,
            TaskId id,
            SimulatedProcess process,
            SimulatedStores stores,
            BiConsumer<Record<byte[], byte[]>, String> children) {
        this.application = application;
        this.id = id;
        this.process = process;
        this.stores = stores;
        this.children = children;
    }

    /** Sets the record that is being processed; null during a punctuation. */
    void current(@Nullable ConsumerRecord<byte[], byte[]> record) {
        current = record;
    }

    /** Says whether a commit was asked for since the last call. */
    boolean takeCommitRequested() {
        boolean requested = commitRequested;
        commitRequested = false;
        return requested;
    }

    /** Does the punctuations that are due. */
    void punctuate() {
        long now = process.wallMillis();
        current = null;
        for (Punctuation punctuation : List.copyOf(punctuations)) {
            if (now >= punctuation.next) {
                punctuation.next = now + punctuation.interval;
                punctuation.punctuator.punctuate(now);
            }
        }
    }

    /** Returns the time until the next punctuation, in milliseconds, by the clock as it goes now. */
    long millisToPunctuation() {
        long now = process.wallMillis();
        return punctuations.stream()
                .mapToLong(punctuation -> Math.max(0, punctuation.next - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    // Java has no way to write a type variable that is an array: these override by erasure.

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public void forward(Record record, String child) {
        children.accept((Record<byte[], byte[]>) record, child);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void forward(Record record) {
        throw new UnsupportedOperationException("To which child?");
    }

    @Override
    public void commit() {
        commitRequested = true;
    }

    @Override
    public String applicationId() {
        return application;
    }

    @Override
    public TaskId taskId() {
        return id;
    }

    @Override
    public Optional<RecordMetadata> recordMetadata() {
        return Optional.ofNullable(current).map(Origin::of);
    }

    @Override
    public Serde<?> keySerde() {
        return Serdes.ByteArray();
    }

    @Override
    public Serde<?> valueSerde() {
        return Serdes.ByteArray();
    }

    @Override
    public File stateDir() {
        throw new UnsupportedOperationException("There is no directory here");
    }

    @Override
    public StreamsMetrics metrics() {
        throw new UnsupportedOperationException("There are no metrics of Kafka Streams here");
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the processor knows what it asks for
    public <S extends StateStore> S getStateStore(String name) {
        return (S) stores.seen(name);
    }

    @Override
    public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
        Punctuation punctuation =
                new Punctuation(interval.toMillis(), punctuator, process.wallMillis() + interval.toMillis());
        punctuations.add(punctuation);
        return () -> punctuations.remove(punctuation);
    }

    @Override
    public Cancellable schedule(Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
        throw new UnsupportedOperationException("Nobody starts at a time");
    }

    @Override
    public Map<String, Object> appConfigs() {
        return Map.of();
    }

    @Override
    public Map<String, Object> appConfigsWithPrefix(String prefix) {
        return Map.of();
    }

    @Override
    public long currentSystemTimeMs() {
        return process.wallMillis();
    }

    @Override
    public long currentStreamTimeMs() {
        throw new UnsupportedOperationException("Nobody asks for stream time");
    }

    private record Origin(String topic, int partition, long offset) implements RecordMetadata {
        static RecordMetadata of(ConsumerRecord<byte[], byte[]> record) {
            return new Origin(record.topic(), record.partition(), record.offset());
        }
    }

    private static final class Punctuation {
        private final long interval;
        private final Punctuator punctuator;
        private long next;

        Punctuation(long interval, Punctuator punctuator, long next) {
            this.interval = interval;
            this.punctuator = punctuator;
            this.next = next;
        }
    }
}
