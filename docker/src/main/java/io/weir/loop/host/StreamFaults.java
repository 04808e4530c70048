package io.weir.loop.host;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What goes otherwise than under Kafka Streams and a processor without faults, to see who notices.
 *
 * @param outputsApart whether outputs are written at once and for good, outside of the transaction
 * @param inputs what is done to an input before the processor sees it; Kafka Streams does nothing
 * @param bug outputs on which the processor fails, in the middle of its work and every time
 */
public record StreamFaults(
        boolean outputsApart,
        UnaryOperator<ConsumerRecord<byte[], byte[]>> inputs,
        Predicate<Record<byte[], byte[]>> bug) {
    /** Kafka Streams, and no fault. */
    public static final StreamFaults NONE = new StreamFaults(false, record -> record, record -> false);
}
