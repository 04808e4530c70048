package io.weir.service;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether what a service begins with the broker comes to an end, such as a transaction: a client goes on trying for
 * minutes without a word while the broker answers, and yet takes nothing. The parts of a service, such as its threads, are
 * told apart by name. Thread-safe.
 */
public final class ProgressWatch {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String goal;
    private final LongSupplier nanos;

    /** What is under way by part. */
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    /**
     * What a part has begun.
     *
     * @param since when it did, by the nanosecond clock
     * @param given when it gave up without having begun again; null while it goes on
     */
    private record Waiting(long since, @Nullable Long given) {}

    /**
     * Creates a watch.
     *
     * @param goal what becomes of what is begun: {@code committed}
     */
    public ProgressWatch(String goal) {
        this(goal, System::nanoTime);
    }

    /** Creates a watch by the clock {@code nanos}, as {@link System#nanoTime}. */
    public ProgressWatch(String goal, LongSupplier nanos) {
        this.goal = goal;
        this.nanos = nanos;
    }

    /** Says that {@code part} has begun something, perhaps once more what it gave up before: that has waited since then. */
    public void begun(String part) {
        long now = nanos.getAsLong();
        waiting.compute(
                part,
                (name, before) -> new Waiting(before == null || isForgotten(before, now) ? now : before.since(), null));
    }

    /** Says that it is done. */
    public void done(String part) {
        waiting.remove(part);
    }

    /** Says that {@code part} gave it up. Where nothing is begun again, nothing was left to be done. */
    public void abandoned(String part) {
        long now = nanos.getAsLong();
        waiting.computeIfPresent(
                part, (name, before) -> before.given() == null ? new Waiting(before.since(), now) : before);
    }

    /** Returns for how long what has waited longest has waited. */
    public Duration longest() {
        long now = nanos.getAsLong();
        return waiting.values().stream()
                .filter(each -> !isForgotten(each, now))
                .map(each -> Duration.ofNanos(now - each.since()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Returns what to say where something has waited for too long. */
    public Optional<String> obstacle() {
        Duration longest = longest();
        return longest.compareTo(PATIENCE) < 0
                ? Optional.empty()
                : Optional.of("nothing could be " + goal + " for " + longest.toSeconds()
                        + " s: too few brokers are there, or a topic is missing");
    }

    /** Returns {@link #longest} in seconds, for a meter. */
    public double longestSeconds() {
        return longest().toMillis() / 1_000.0;
    }

    private static boolean isForgotten(Waiting each, long now) {
        Long given = each.given();
        return given != null && now - given > PATIENCE.toNanos();
    }
}
