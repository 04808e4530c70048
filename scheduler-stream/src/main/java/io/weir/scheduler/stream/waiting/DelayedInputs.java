package io.weir.scheduler.stream.waiting;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.stream.store.Stores;
import io.weir.topics.RegistryUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of one cluster that wait for the schema registry, in order of arrival: the first cannot be decoded while the
 * registry is away, the others came behind it. All of them are in the store. Owned by the stream thread.
 */
public final class DelayedInputs {
    /** Inputs that wait at most. */
    public static final int MOST = 20_000;

    /** Bytes that they have together at most. */
    static final long MOST_BYTES = 64L << 20;

    /** Time between two questions to the registry. */
    public static final Duration PAUSE = Duration.ofMillis(250);

    private final String cluster;
    private final Stores stores;
    private final Deque<Delayed> waiting = new ArrayDeque<>();
    private long lastNumber;
    private long bytes;
    /** Since the registry was last found away; null when it has not been. */
    private @Nullable WallWait pause;

    public DelayedInputs(String cluster, Stores stores) {
        this.cluster = cluster;
        this.stores = stores;
    }

    /** Takes up again what the store held, in order of arrival. */
    public void restore(DelayedInput stored) {
        index(new Delayed(stored.getNumber(), WaitingInputs.restore(stored.getInput()), stored.getHeartbeatOffset()));
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    public int size() {
        return waiting.size();
    }

    /**
     * Has {@code input} wait behind the others.
     *
     * @param heartbeatOffset offset of the last heartbeat the partition has seen; -1 for none
     * @throws RegistryUnavailableException when too many wait already: the input is to be left where it is
     */
    public void add(Input input, long heartbeatOffset) {
        if (waiting.size() >= MOST || bytes + input.size() > MOST_BYTES) {
            throw new RegistryUnavailableException(
                    "Cluster '" + cluster + "': " + waiting.size() + " inputs wait for the schema registry, which is"
                            + " away; no more are taken in before it is back");
        }
        Delayed entry = new Delayed(lastNumber + 1, input, heartbeatOffset);
        index(entry);
        stores.put(new DelayedInput(cluster, entry.number(), heartbeatOffset, WaitingInputs.store(input)));
    }

    /** Returns the input that has waited longest, if it is time to try it again; null otherwise. */
    @Nullable
    public Delayed due(Instant at) {
        return pause != null && !pause.isOver(PAUSE, at) ? null : waiting.peekFirst();
    }

    /** Puts the next attempt off: the registry was away at {@code at}. */
    public void retryAfter(Instant at) {
        pause = new WallWait(at);
    }

    /** Forgets the input that has waited longest; it has been taken in. */
    public void removeFirst() {
        Delayed first = waiting.removeFirst();
        bytes -= first.input().size();
        stores.deleteDelayed(cluster, first.number());
    }

    private void index(Delayed entry) {
        lastNumber = entry.number();
        waiting.addLast(entry);
        bytes += entry.input().size();
    }

    /**
     * An input that waits.
     *
     * @param number order of arrival
     * @param heartbeatOffset offset of the last heartbeat the partition had seen when it came; -1 for none
     */
    public record Delayed(long number, Input input, long heartbeatOffset) {}
}
