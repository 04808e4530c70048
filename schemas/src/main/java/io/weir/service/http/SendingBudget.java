package io.weir.service.http;

import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of answers are on their way, in all and by client: an answer is in memory until its client has taken it, and
 * clients may take their time. Small answers, refusals above all, are never held back; a large one always finds room where
 * nothing else of its client is on its way, if there is any. Thread-safe.
 */
final class SendingBudget {
    /** An answer of fewer bytes is always sent. */
    private static final int SMALL = 65_536;

    private final long most;
    private final long mostOfOne;

    /** Bytes on their way by client; guarded by this. */
    private final Map<String, Long> byClient = new HashMap<>();

    /** Bytes on their way; guarded by this. */
    private long all;

    /**
     * Begins with nothing.
     *
     * @param most bytes of all clients
     * @param mostOfOne bytes of one client
     */
    SendingBudget(long most, long mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** Takes room for an answer to {@code client}; false, and nothing taken, where there is none. */
    synchronized boolean take(String client, long bytes) {
        long own = byClient.getOrDefault(client, 0L);
        boolean fits = all + bytes <= most && own + bytes <= mostOfOne;
        boolean alone = own == 0 && (all == 0 || all + bytes <= most);
        if (bytes > SMALL && !fits && !alone) {
            return false;
        }
        byClient.put(client, own + bytes);
        all += bytes;
        return true;
    }

    /** Gives back the room of an answer that was sent, or never will be. */
    synchronized void free(String client, long bytes) {
        byClient.computeIfPresent(client, (name, own) -> own <= bytes ? null : Long.valueOf(own - bytes));
        all -= bytes;
    }
}
