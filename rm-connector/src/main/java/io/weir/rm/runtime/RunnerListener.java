package io.weir.rm.runtime;

import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.schemas.CommandOutcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Is told what the runner does, on the runner's thread; returns at once and never throws. */
public interface RunnerListener {

    /** Does not care. */
    RunnerListener NONE = new RunnerListener() {};

    /** An epoch was opened. */
    default void epochOpened(long epoch) {}

    /**
     * A poll was published.
     *
     * @param rmTime the resource manager's clock
     * @param progress how far a simulation has come; null for a live resource manager
     */
    default void polled(PublishedPoll poll, Instant rmTime, @Nullable Progress progress) {}

    /** The scheduler has not taken in what was published so long ago; zero where it has, or nobody knows. */
    default void schedulerBehind(Duration delay) {}

    /** So much of the last poll could not be understood and was left out. */
    default void problems(long count) {}

    /** A command was answered. */
    default void answered(CommandOutcome outcome) {}

    /** A record from the log could not be read and was put aside. */
    default void unreadable() {}

    /** The resource manager could not be reached. */
    default void rmAway() {}

    /** The log could not be reached. */
    default void logAway() {}
}
