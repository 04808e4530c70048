package io.weir.loop.log;

import io.weir.loop.turn.Turns;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A record on its way to the broker, and the future of its place there. */
final class SentRecord implements Future<RecordMetadata> {
    private final Turns turns;
    private final ProducerRecord<byte[], byte[]> record;
    private final TopicPartition partition;
    private final long deadline;
    private final @Nullable Callback callback;
    private @Nullable RecordMetadata written;
    private @Nullable Exception failure;

    SentRecord(
            Turns turns,
            ProducerRecord<byte[], byte[]> record,
            TopicPartition partition,
            long deadline,
            @Nullable Callback callback) {
        this.turns = turns;
        this.record = record;
        this.partition = partition;
        this.deadline = deadline;
        this.callback = callback;
    }

    ProducerRecord<byte[], byte[]> record() {
        return record;
    }

    TopicPartition partition() {
        return partition;
    }

    /** Returns when it is given up, in microseconds. */
    long deadline() {
        return deadline;
    }

    void written(long offset, long timestamp) {
        RecordMetadata metadata = new RecordMetadata(partition, offset, 0, timestamp, 0, 0);
        written = metadata;
        if (callback != null) {
            callback.onCompletion(metadata, null);
        }
        turns.signal();
    }

    void failed(Exception cause) {
        failure = cause;
        if (callback != null) {
            callback.onCompletion(null, cause);
        }
        turns.signal();
    }

    @Override
    public boolean isDone() {
        return written != null || failure != null;
    }

    @Override
    public RecordMetadata get() throws ExecutionException {
        turns.awaitUntil(Long.MAX_VALUE, this::isDone);
        return outcome();
    }

    @Override
    public RecordMetadata get(long timeout, TimeUnit unit) throws ExecutionException, TimeoutException {
        if (!turns.awaitUntil(turns.now() + unit.toMicros(timeout), this::isDone)) {
            throw new TimeoutException("Not written within " + timeout + " " + unit);
        }
        return outcome();
    }

    private RecordMetadata outcome() throws ExecutionException {
        if (written == null) {
            throw new ExecutionException(failure);
        }
        return written;
    }

    @Override
    public boolean cancel(boolean interrupt) {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}
