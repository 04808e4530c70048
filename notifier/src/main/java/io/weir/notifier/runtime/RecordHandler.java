package io.weir.notifier.runtime;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decides about one record at a time; called by the thread of its {@link RecordLoop} alone. */
interface RecordHandler extends AutoCloseable {

    /**
     * Handles {@code record}; may take as long as one attempt to deliver it.
     *
     * @param attempt 1 for the first time, one more after each {@link Step.Retry}
     */
    Step handle(ConsumerRecord<byte[], byte[]> record, int attempt) throws InterruptedException;

    @Override
    void close();
}
