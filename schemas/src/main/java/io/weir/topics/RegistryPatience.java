package io.weir.topics;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits at the start of a service for a registry that is away, and asks no more once a minute has passed, however long it
 * let one wait. Stateless.
 */
public final class RegistryPatience {
    private static final Logger log = LoggerFactory.getLogger(RegistryPatience.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final AvroCodec codec;

    /** Creates one that has {@code codec} ask. */
    public RegistryPatience(AvroCodec codec) {
        this.codec = codec;
    }

    /**
     * Has the schemas of {@code topics} at hand.
     *
     * @throws RegistryUnavailableException when the registry stays away
     */
    public void prepare(List<Topic<?>> topics) throws InterruptedException {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                codec.prepare(topics);
                return;
            } catch (RegistryUnavailableException e) {
                if (System.nanoTime() - start > LIMIT.toNanos()) {
                    throw e;
                }
                if (attempt == 1) {
                    log.warn("The schema registry gives no usable answer, waiting for it: {}", e.getMessage());
                }
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }
}
