package io.weir.rm.runtime.command;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the registry to know the schema of a record, for a minute each; what follows the record waits with it. One thread.
 */
final class SchemaPatience {
    private static final Logger log = LoggerFactory.getLogger(SchemaPatience.class);

    static final Duration LIMIT = Duration.ofMinutes(1);
    static final Duration PAUSE = Duration.ofSeconds(1);

    private @Nullable TopicPartition waiting;
    private long offset;
    private long since;
    private long again;

    /** Says whether to come back to the record at {@code at}, and notes that at {@code now}, monotonic nanoseconds. */
    boolean waits(TopicPartition partition, long at, long now) {
        if (!partition.equals(waiting) || at != offset) {
            log.warn(
                    "topic={} partition={} offset={} has a schema that the registry does not know; waiting for up to {} s",
                    partition.topic(),
                    partition.partition(),
                    at,
                    LIMIT.toSeconds());
            waiting = partition;
            offset = at;
            since = now;
        }
        again = now + PAUSE.toNanos();
        return now - since < LIMIT.toNanos();
    }

    /** Returns the partition to read on from where a pause is over. */
    Optional<TopicPartition> over(long now) {
        return now - again >= 0 ? Optional.ofNullable(waiting) : Optional.empty();
    }
}
