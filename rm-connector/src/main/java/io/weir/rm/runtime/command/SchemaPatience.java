package io.weir.rm.runtime.command;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the registry to know the schema of a record, for a minute; what follows the record waits with it. What else was
 * written by a schema that was waited for in vain is not waited for again, and for ten minutes no other schema is, either: each
 * record of random bytes seems to have another. One thread.
 */
final class SchemaPatience {
    private static final Logger log = LoggerFactory.getLogger(SchemaPatience.class);

    static final Duration LIMIT = Duration.ofMinutes(1);
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** For how long nothing is waited for after something was in vain. */
    static final Duration RESPITE = Duration.ofMinutes(10);

    /** Schemas remembered; the oldest go first. */
    private static final int MOST_REMEMBERED = 1_000;

    /** Schemas that were waited for in vain. */
    private final Set<Integer> givenUp = new LinkedHashSet<>();

    private @Nullable TopicPartition waiting;
    private long offset;
    private long since;
    private long again;

    /** When a schema was given up last, monotonic nanoseconds; null when none was. */
    private @Nullable Long lastGivenUp;

    /**
     * Says whether to come back to the record at {@code at}, which was written by the unknown {@code schema}, and notes that at
     * {@code now}, monotonic nanoseconds.
     */
    boolean waits(TopicPartition partition, long at, int schema, long now) {
        if (givenUp.contains(schema) || isRespite(now)) {
            return false;
        }
        if (!partition.equals(waiting) || at != offset) {
            log.warn(
                    "topic={} partition={} offset={} has schema {}, which the registry does not know; waiting for up to {} s",
                    partition.topic(),
                    partition.partition(),
                    at,
                    schema,
                    LIMIT.toSeconds());
            waiting = partition;
            offset = at;
            since = now;
        }
        again = now + PAUSE.toNanos();
        if (now - since < LIMIT.toNanos()) {
            return true;
        }
        giveUp(schema, now);
        return false;
    }

    private boolean isRespite(long now) {
        return lastGivenUp != null && now - lastGivenUp < RESPITE.toNanos();
    }

    private void giveUp(int schema, long now) {
        lastGivenUp = now;
        if (givenUp.size() == MOST_REMEMBERED) {
            givenUp.remove(givenUp.iterator().next());
        }
        givenUp.add(schema);
    }

    /** Returns the partition to read on from where a pause is over. */
    Optional<TopicPartition> over(long now) {
        return now - again >= 0 ? Optional.ofNullable(waiting) : Optional.empty();
    }
}
