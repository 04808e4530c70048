package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.Step;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a fault in the handling of a record, which would come back with the record at each start, be the end of that record
 * alone: it goes to the dead letters, and the reader goes on. What Kafka's clients throw is no fault of the record's.
 */
public final class FaultBarrier implements RecordHandler {
    /** The cause that such dead letters name. */
    private static final String CAUSE = "FAULT";

    private static final Logger log = LoggerFactory.getLogger(FaultBarrier.class);

    private final RecordHandler handler;
    private final DeadLetterFactory deadLetterFactory;

    public FaultBarrier(RecordHandler handler, DeadLetterFactory deadLetterFactory) {
        this.handler = handler;
        this.deadLetterFactory = deadLetterFactory;
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated)
            throws InterruptedException {
        try {
            return handler.handle(record, attempt, repeated);
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            return givenUp(List.of(record), e);
        }
    }

    @Override
    public Step release(List<ConsumerRecord<byte[], byte[]>> records, int attempt, boolean repeated)
            throws InterruptedException {
        try {
            return handler.release(records, attempt, repeated);
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            return givenUp(records, e);
        }
    }

    private Step givenUp(List<ConsumerRecord<byte[], byte[]>> records, RuntimeException fault) {
        log.error("to the dead letters: {} records from {} on", records.size(), place(records.get(0)), fault);
        return new Step.Settled(records.stream()
                .<Outgoing<?>>map(record -> letter(record, fault))
                .toList());
    }

    private Outgoing<?> letter(ConsumerRecord<byte[], byte[]> record, RuntimeException fault) {
        @Nullable String channel = handler.channel();
        return channel == null
                ? deadLetterFactory.of(record, CAUSE, fault.toString())
                : deadLetterFactory.of(record, CAUSE, fault.toString(), channel);
    }

    private static String place(ConsumerRecord<byte[], byte[]> record) {
        return "topic=" + record.topic() + " partition=" + record.partition() + " offset=" + record.offset();
    }

    @Override
    public boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
        return asked(record, handler::needsMark);
    }

    @Override
    public boolean wants(ConsumerRecord<byte[], byte[]> record) {
        return asked(record, handler::wants);
    }

    /** What cannot be asked about a record will come up again when it is handled. */
    private static boolean asked(
            ConsumerRecord<byte[], byte[]> record, Predicate<ConsumerRecord<byte[], byte[]>> question) {
        try {
            return question.test(record);
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            log.debug("{}", place(record), e);
            return false;
        }
    }

    @Override
    public int mostHeld() {
        return handler.mostHeld();
    }

    @Override
    public boolean holdsOn() {
        return handler.holdsOn();
    }

    @Override
    public @Nullable String channel() {
        return handler.channel();
    }

    @Override
    public boolean isBusy() {
        return handler.isBusy();
    }

    @Override
    public void close() {
        handler.close();
    }
}
