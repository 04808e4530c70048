package io.weir.notifier.runtime.loop;

import java.time.Duration;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * When a failed delivery is tried again: the waits grow by a factor up to a longest one, without jitter, until the
 * attempts are used up. Immutable.
 *
 * @param attempts how often a delivery is tried before it is given up; at least 1
 * @param first wait after the first attempt
 * @param factor by which each wait is longer than the one before; at least 1
 * @param longest no wait is longer
 */
public record RetrySchedule(int attempts, Duration first, int factor, Duration longest) {

    /** Gives a receiver about a quarter of an hour to come back. */
    public static final RetrySchedule DEFAULT = new RetrySchedule(8, Duration.ofSeconds(10), 2, Duration.ofMinutes(5));

    private static final String ATTEMPTS = "retry.attempts";
    private static final String FIRST_MS = "retry.first.ms";
    private static final String FACTOR = "retry.factor";
    private static final String LONGEST_MS = "retry.longest.ms";
    private static final int LONGEST_EVER_MS = 86_400_000;

    public RetrySchedule {
        if (attempts < 1 || factor < 1 || first.isNegative() || longest.isNegative()) {
            throw new IllegalArgumentException("retry schedule: attempts " + attempts + " and factor " + factor
                    + " must be at least 1, waits " + first + " and " + longest + " not negative");
        }
    }

    /** Adds the settings of a schedule to {@code definition}, below {@code prefix}; {@code defaults} holds if unset. */
    public static ConfigDef define(ConfigDef definition, String prefix, RetrySchedule defaults) {
        return definition
                .define(
                        prefix + ATTEMPTS,
                        Type.INT,
                        defaults.attempts,
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "How often a delivery is tried before it becomes a dead letter.")
                .define(
                        prefix + FIRST_MS,
                        Type.INT,
                        (int) defaults.first.toMillis(),
                        ConfigDef.Range.between(0, LONGEST_EVER_MS),
                        Importance.MEDIUM,
                        "Wait after the first attempt.")
                .define(
                        prefix + FACTOR,
                        Type.INT,
                        defaults.factor,
                        ConfigDef.Range.between(1, 100),
                        Importance.LOW,
                        "Factor by which each wait is longer than the one before.")
                .define(
                        prefix + LONGEST_MS,
                        Type.INT,
                        (int) defaults.longest.toMillis(),
                        ConfigDef.Range.between(0, LONGEST_EVER_MS),
                        Importance.LOW,
                        "Longest wait, whatever the receiver asks for.");
    }

    /** Reads the schedule below {@code prefix} with {@code settings}. */
    public static RetrySchedule from(String prefix, ToLongFunction<String> settings) {
        return new RetrySchedule(
                Math.toIntExact(settings.applyAsLong(prefix + ATTEMPTS)),
                Duration.ofMillis(settings.applyAsLong(prefix + FIRST_MS)),
                Math.toIntExact(settings.applyAsLong(prefix + FACTOR)),
                Duration.ofMillis(settings.applyAsLong(prefix + LONGEST_MS)));
    }

    /**
     * Returns how long to wait after attempt number {@code attempt} failed; empty when it was the last.
     *
     * @param asked how long the receiver asked to be left alone; honoured up to the longest wait
     */
    public Optional<Duration> waitAfter(int attempt, Duration asked) {
        if (attempt >= attempts) {
            return Optional.empty();
        }
        Duration wait = backOff(attempt);
        Duration honoured = asked.compareTo(longest) < 0 ? asked : longest;
        return Optional.of(honoured.compareTo(wait) > 0 ? honoured : wait);
    }

    /** Returns the wait after failure number {@code failure} of something that is never given up. */
    public Duration backOff(int failure) {
        long limit = longest.toMillis();
        long wait = Math.min(first.toMillis(), limit);
        for (int i = 1; i < failure && wait > 0 && wait < limit && factor > 1; i++) {
            wait = wait > limit / factor ? limit : wait * factor;
        }
        return Duration.ofMillis(wait);
    }
}
