package io.weir.scheduler.stream;

import io.weir.scheduler.journal.Input;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decodes inputs. Never waits: whether to try again, and when, is the caller's business.
 *
 * @param codec asks the registry once for each schema
 */
record InputDecoder(AvroCodec codec) {
    /**
     * Decodes the value of {@code input}.
     *
     * @throws PoisonRecordException when it is no record of its topic and never will be
     * @throws RegistryUnavailableException when its schema is not known yet and the registry is away
     */
    SpecificRecord decode(Input input) {
        Topic<?> topic = Topics.byName(input.topic())
                .orElseThrow(() -> new IllegalStateException("Topic " + input.topic() + " is not in the catalogue"));
        byte[] value = input.value();
        if (value == null) {
            throw new PoisonRecordException("No value: a tombstone means nothing on " + input.topic());
        }
        return codec.decode(topic, value);
    }
}
