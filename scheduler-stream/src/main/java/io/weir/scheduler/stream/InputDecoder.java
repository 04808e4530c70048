package io.weir.scheduler.stream;

import io.weir.scheduler.journal.Input;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes inputs. A registry that is away is waited for, within the time a transaction may stay open; after that the
 * task gives up, its transaction is aborted, and the input is taken up again. Bytes that can never be read are poison.
 */
final class InputDecoder {
    private static final Logger log = LoggerFactory.getLogger(InputDecoder.class);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int ATTEMPTS = 80;

    private final AvroCodec codec;
    private final Pause pause;

    /** Creates a decoder that waits by {@code pause} for a registry that is away. */
    InputDecoder(AvroCodec codec, Pause pause) {
        this.codec = codec;
        this.pause = pause;
    }

    /**
     * Decodes the value of {@code input}.
     *
     * @throws PoisonRecordException when it is no record of its topic and never will be
     * @throws RegistryUnavailableException when the registry stays away
     */
    SpecificRecord decode(Input input) {
        Topic<?> topic = Topics.byName(input.topic())
                .orElseThrow(() -> new IllegalStateException("Topic " + input.topic() + " is not in the catalogue"));
        byte[] value = input.value();
        if (value == null) {
            throw new PoisonRecordException("No value: a tombstone means nothing on " + input.topic());
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return codec.decode(topic, value);
            } catch (RegistryUnavailableException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                if (attempt == 1) {
                    log.warn("Schema registry is away, waiting for it: input={} {}", input, e.getMessage());
                }
                pause(e);
            }
        }
    }

    private void pause(RegistryUnavailableException reason) {
        try {
            pause.last(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw reason;
        }
    }
}
