package io.weir.scheduler.stream;

import io.weir.scheduler.journal.Input;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decodes inputs. Waits for the registry no longer than for one that works: whether to try again, and when, is the caller's
 * business. A thread that waited for as long as the registry's client does would hold up all clusters, and its transaction
 * would be over by then.
 *
 * @param codec asks the registry once for each schema
 */
record InputDecoder(AvroCodec codec) {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Decodes the value of {@code input}.
     *
     * @throws PoisonRecordException when it is no record of its topic and never will be
     * @throws RegistryUnavailableException when its schema is not known yet and the registry has not said what it is
     */
    SpecificRecord decode(Input input) {
        Topic<?> topic = Topics.byName(input.topic())
                .orElseThrow(() -> new IllegalStateException("Topic " + input.topic() + " is not in the catalogue"));
        byte[] value = input.value();
        if (value == null) {
            throw new PoisonRecordException("No value: a tombstone means nothing on " + input.topic());
        }
        return codec.decode(topic, value, PATIENCE);
    }
}
