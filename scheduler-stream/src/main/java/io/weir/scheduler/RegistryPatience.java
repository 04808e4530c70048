package io.weir.scheduler;

import io.weir.topics.AvroCodec;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits at the start of a service for a registry that is away, for a minute at most. Stateless. */
final class RegistryPatience {
    private static final Logger log = LoggerFactory.getLogger(RegistryPatience.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int ATTEMPTS = 120;

    private final AvroCodec codec;

    RegistryPatience(AvroCodec codec) {
        this.codec = codec;
    }

    /**
     * Has the schemas of {@code topics} at hand.
     *
     * @throws RegistryUnavailableException when the registry stays away
     */
    void prepare(List<Topic<?>> topics) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                codec.prepare(topics);
                return;
            } catch (RegistryUnavailableException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                if (attempt == 1) {
                    log.warn("Schema registry is away, waiting for it: {}", e.getMessage());
                }
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }
}
