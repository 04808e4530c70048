package io.weir.topics;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether the registry answers what it is asked. What nobody asks it any more is forgotten after a while.
 * Thread-safe.
 */
final class RegistryWatch {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LongSupplier nanos;

    /** Questions under way. */
    private int open;

    /** What keeps it from answering; null while nothing is known to. */
    private @Nullable Trouble trouble;

    /**
     * That there has been no answer.
     *
     * @param since since when, by the nanosecond clock
     * @param last when it was seen last
     * @param words the latest failure
     */
    private record Trouble(long since, long last, String words) {}

    /** Makes a watch by the clock {@code nanos}, as {@link System#nanoTime}. */
    RegistryWatch(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A question is asked. */
    synchronized void asks() {
        open++;
        long now = nanos.getAsLong();
        if (trouble == null || isForgotten(trouble, now)) {
            trouble = new Trouble(now, now, "it does not answer");
        }
    }

    /** It was answered, whatever the answer. */
    synchronized void answered() {
        open--;
        trouble = null;
    }

    /** There was no answer, or none of use, for the reason that {@code words} give. */
    synchronized void failed(String words) {
        open--;
        long now = nanos.getAsLong();
        trouble = new Trouble(trouble == null ? now : trouble.since, now, words);
    }

    /** Returns what to say where there has been no answer for too long. */
    synchronized Optional<String> obstacle() {
        long now = nanos.getAsLong();
        Trouble seen = trouble;
        if (seen == null || now - seen.since < PATIENCE.toNanos() || (open == 0 && isForgotten(seen, now))) {
            return Optional.empty();
        }
        return Optional.of("the schema registry has given no usable answer for "
                + Duration.ofNanos(now - seen.since).toSeconds()
                + " s, and records wait whose schema is not known yet: "
                + seen.words);
    }

    private static boolean isForgotten(Trouble seen, long now) {
        return now - seen.last > PATIENCE.toNanos();
    }
}
