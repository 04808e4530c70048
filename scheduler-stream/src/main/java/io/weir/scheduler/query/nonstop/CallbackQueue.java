package io.weir.scheduler.query.nonstop;

import io.weir.schemas.NonstopEventKind;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What addresses were not told yet, and whose turn it is. Who was tried least comes first, and of those who waits longest; a
 * host has few calls at a time and repeated calls take half of all at most, so that addresses that do not answer keep nobody
 * else waiting. Times are nanoseconds of one clock. Not thread-safe.
 */
final class CallbackQueue {
    /** Sets of flags that may wait. */
    static final int MOST_WAITING = 4_096;

    /** Calls at a time. */
    static final int MOST_CALLS = 64;

    /** Calls at a time to addresses that did not take an earlier one. */
    static final int MOST_REPEATED = MOST_CALLS / 2;

    /** Calls at a time to one host and port. */
    static final int MOST_TO_A_HOST = 8;

    private static final long LONGEST_PAUSE_SECONDS = 60;
    private static final long PATIENCE_SECONDS = 3_600;

    private final Map<Target, Waiting> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> callsByHost = new HashMap<>();
    private int calls;
    private int repeated;

    /** An address that a job subscribed. */
    record Target(String cluster, String jobId, String endpoint) {
        /** Returns host and port; the whole address where it has none that can be read. */
        String host() {
            try {
                URI address = URI.create(endpoint);
                return address.getHost() == null ? endpoint : address.getHost() + ":" + address.getPort();
            } catch (IllegalArgumentException e) {
                return endpoint;
            }
        }
    }

    /** What a call tells. */
    record Message(Set<NonstopEventKind> kinds, String lastEvent) {}

    /** What an address was not told yet, beside what a call under way tells it. */
    private static final class Waiting {
        private final EnumSet<NonstopEventKind> kinds = EnumSet.noneOf(NonstopEventKind.class);
        private long since;
        private String lastEvent = "";
        private long next;
        private int attempts;
        private boolean calling;

        Waiting(long since) {
            this.since = since;
            this.next = since;
        }
    }

    /** Notes what {@code target} is to be told; returns false where too many wait. */
    boolean add(Target target, NonstopEventKind kind, String event, long now) {
        if (waiting.size() >= MOST_WAITING && !waiting.containsKey(target)) {
            return false;
        }
        Waiting flags = waiting.computeIfAbsent(target, known -> new Waiting(now));
        flags.kinds.add(kind);
        flags.lastEvent = event;
        return true;
    }

    /** Returns whom to call now. Each has to be given back to {@link #end}. */
    List<Target> due(long now) {
        List<Map.Entry<Target, Waiting>> ready = new ArrayList<>();
        for (Map.Entry<Target, Waiting> entry : waiting.entrySet()) {
            if (!entry.getValue().calling && entry.getValue().next - now <= 0) {
                ready.add(entry);
            }
        }
        ready.sort(Comparator.<Map.Entry<Target, Waiting>>comparingInt(entry -> entry.getValue().attempts)
                .thenComparingLong(entry -> entry.getValue().next - now));
        List<Target> due = new ArrayList<>();
        for (Map.Entry<Target, Waiting> entry : ready) {
            boolean again = entry.getValue().attempts > 0;
            String host = entry.getKey().host();
            if (calls < MOST_CALLS
                    && (!again || repeated < MOST_REPEATED)
                    && callsByHost.getOrDefault(host, 0) < MOST_TO_A_HOST) {
                entry.getValue().calling = true;
                calls++;
                repeated += again ? 1 : 0;
                callsByHost.merge(host, 1, Integer::sum);
                due.add(entry.getKey());
            }
        }
        return due;
    }

    /** Takes what {@code target}, which is due, was not told yet. */
    Message take(Target target) {
        Waiting flags = of(target);
        Message message = new Message(EnumSet.copyOf(flags.kinds), flags.lastEvent);
        flags.kinds.clear();
        return message;
    }

    /**
     * Ends a call.
     *
     * @param over whether there is nothing more to do about what was told; else it is told again later
     * @return whether that is the end of it, because it is over or patience is
     */
    boolean end(Target target, Message told, boolean over, long now) {
        Waiting flags = of(target);
        calls--;
        repeated -= flags.attempts > 0 ? 1 : 0;
        callsByHost.computeIfPresent(target.host(), (host, count) -> count == 1 ? null : count - 1);
        flags.calling = false;
        if (!over && now - flags.since < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            flags.kinds.addAll(told.kinds());
            long pause = Math.min(LONGEST_PAUSE_SECONDS, 1L << Math.min(flags.attempts++, 6));
            flags.next = now + TimeUnit.SECONDS.toNanos(pause);
            return false;
        }
        flags.attempts = 0;
        flags.since = now;
        flags.next = now;
        if (flags.kinds.isEmpty()) {
            waiting.remove(target);
        }
        return true;
    }

    /** Returns how many addresses wait to be told. */
    int size() {
        return waiting.size();
    }

    private Waiting of(Target target) {
        Waiting flags = waiting.get(target);
        if (flags == null) {
            throw new IllegalStateException(target + " is not being called");
        }
        return flags;
    }
}
