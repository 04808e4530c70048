package io.weir.notifier.runtime;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Opens the Kafka clients of a notifier. Whoever asks for one closes it. */
public interface NotifierClients {

    /** Opens a consumer in the group of {@code reader}. */
    Consumer<byte[], byte[]> consumer(String reader);

    /** Opens a consumer of committed records that is in no group. */
    Consumer<byte[], byte[]> scanner();

    /** Opens the producer of {@code reader}; the one before it, in whatever process, can write no more. */
    Producer<byte[], byte[]> producer(String reader);
}
