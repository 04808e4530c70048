package io.weir.loop.host;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** One task: its processor, its stores, and what was fetched for it and not processed yet. */
final class StreamTask {
    private final Processor<byte[], byte[], byte[], byte[]> processor;
    private final TaskContext context;
    private final SimulatedStores stores;
    private final TimestampExtractor timestamps;
    private final Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> fetched = new LinkedHashMap<>();
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private boolean processed;

    StreamTask(
            Processor<byte[], byte[], byte[], byte[]> processor,
            TaskContext context,
            SimulatedStores stores,
            TimestampExtractor timestamps) {
        this.processor = processor;
        this.context = context;
        this.stores = stores;
        this.timestamps = timestamps;
    }

    void init() {
        processor.init(context);
    }

    void close() {
        processor.close();
    }

    TaskContext context() {
        return context;
    }

    SimulatedStores stores() {
        return stores;
    }

    void add(ConsumerRecord<byte[], byte[]> record) {
        fetched.computeIfAbsent(new TopicPartition(record.topic(), record.partition()), unseen -> new ArrayDeque<>())
                .add(record);
    }

    /** Processes the first record of any of its partitions, as {@code random} says; returns whether there was one. */
    boolean process(Random random) {
        List<TopicPartition> waiting = new ArrayList<>();
        fetched.forEach((partition, records) -> {
            if (!records.isEmpty()) {
                waiting.add(partition);
            }
        });
        if (waiting.isEmpty()) {
            return false;
        }
        TopicPartition chosen = waiting.get(random.nextInt(waiting.size()));
        ConsumerRecord<byte[], byte[]> record =
                Objects.requireNonNull(fetched.get(chosen), "no records").remove();
        context.current(record);
        long timestamp = timestamps.extract(asObjects(record), -1);
        processor.process(new Record<>(record.key(), record.value(), timestamp, record.headers()));
        next.put(chosen, record.offset() + 1);
        processed = true;
        return true;
    }

    /** Says whether anything was processed since the last call. */
    boolean takeProcessed() {
        boolean any = processed;
        processed = false;
        return any;
    }

    /** Returns the positions behind all that was processed. */
    Map<TopicPartition, OffsetAndMetadata> positions() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        next.forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
        return positions;
    }

    @SuppressWarnings("unchecked") // an extractor only reads
    private static ConsumerRecord<Object, Object> asObjects(ConsumerRecord<?, ?> record) {
        return (ConsumerRecord<Object, Object>) record;
    }
}
