package io.weir.notifier.runtime.loop;

import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record that is to be published, not encoded yet. Immutable.
 *
 * @param topic where it goes
 * @param key its key
 * @param value the record
 */
public record Outgoing<T extends SpecificRecord>(Topic<T> topic, EntityKey key, T value) {

    /** Returns it as bytes; throws what {@link AvroCodec#encode} throws. */
    ProducerRecord<byte[], byte[]> encode(TopicNames names, AvroCodec codec) {
        return new ProducerRecord<>(names.full(topic), key.toBytes(), codec.encode(topic, value));
    }
}
