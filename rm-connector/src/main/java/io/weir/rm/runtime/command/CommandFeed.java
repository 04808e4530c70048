package io.weir.rm.runtime.command;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The log as a connector reads it: committed records only, its own cluster and connector only, in the order written. One
 * thread. Every method may throw {@link io.weir.rm.runtime.fact.LogUnavailableException}; then this object is spent.
 */
public interface CommandFeed extends AutoCloseable {

    /**
     * Finds out which commands are answered and which are not, and takes position: what is written from here on comes
     * from {@link #poll}. Called once, before the HELLO is written.
     */
    Backlog open();

    /**
     * Asks the log, and returns what came in since {@link #open}: with it, every command that was committed before this
     * call. Called once, after the HELLO is written: up to then an older epoch may have begun any of them.
     */
    List<Incoming> takeOver();

    /** Returns what came in, waiting for something at most {@code timeout}. */
    List<Incoming> poll(Duration timeout);

    /**
     * Asks the log, and returns what came in: with it, every HELLO that was written before this call. Comes back at once
     * when there is none.
     */
    List<Incoming> catchUp();

    /**
     * Asks how far the scheduler has taken in the heartbeats of the cluster.
     *
     * @return empty where that is not known
     */
    default Optional<HeartbeatProgress> progress() {
        return Optional.empty();
    }

    /**
     * Notes that all commands up to {@code upTo} are answered and their results safe, so that the next start need not look
     * at them again. Cheap; it may be put off.
     *
     * @param greatest greatest number of a command answered, with its result safe; at least {@code upTo}
     */
    void finished(long upTo, long greatest);

    /** Closes the feed; what {@link #finished} put off is done first. */
    @Override
    void close();
}
