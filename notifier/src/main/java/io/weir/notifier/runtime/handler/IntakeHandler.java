package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.Step;
import io.weir.topics.RegistryUnavailableException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what no channel could ever deliver to the dead letters. It has a group of its own, so that such a record becomes
 * one dead letter however many channels pass over it, and one also when there is no channel. Owned by its loop.
 */
public final class IntakeHandler implements RecordHandler {

    private static final Logger log = LoggerFactory.getLogger(IntakeHandler.class);

    private final NotificationReader reader;
    private final DeadLetterFactory deadLetterFactory;
    private final NotifierMetrics metrics;
    private final Duration registryWait;

    public IntakeHandler(
            NotificationReader reader,
            DeadLetterFactory deadLetterFactory,
            NotifierMetrics metrics,
            Duration registryWait) {
        this.reader = reader;
        this.deadLetterFactory = deadLetterFactory;
        this.metrics = metrics;
        this.registryWait = registryWait;
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated) {
        try {
            reader.read(record);
            return Step.Settled.silently();
        } catch (UnusableRecordException e) {
            log.warn(
                    "to the dead letters: topic={} partition={} offset={} cause={}: {}", //
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.code(),
                    e.why());
            metrics.unusable(e.code());
            return new Step.Settled(List.of(deadLetterFactory.of(record, e.code(), e.why())));
        } catch (RegistryUnavailableException e) {
            log.warn(
                    "topic={} partition={} offset={} cannot be read yet: {}", //
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
            return new Step.Postpone(registryWait, e.toString());
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
