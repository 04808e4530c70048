package io.weir.scheduler.query.nonstop;

import io.weir.schemas.NonstopEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The latest events of jobs' nodes, by job, for those who ask what came after the last one they know. Bounded: the oldest
 * events go first, and no more may wait than {@link #MOST_WAITING}. Thread-safe.
 */
public final class NonstopEventLog {
    /** Events that are remembered, of all jobs. */
    static final int REMEMBERED = 10_000;

    /** Askers that may wait at a time. */
    static final int MOST_WAITING = 1_024;

    private final Deque<NonstopEvent> events = new ArrayDeque<>();
    private final Set<String> known = new HashSet<>();
    private final Map<JobKey, Deque<NonstopEvent>> byJob = new HashMap<>();
    private final Map<JobKey, Set<Waiter>> waiting = new HashMap<>();
    private int waiters;

    private record JobKey(String cluster, String jobId) {}

    /** Somebody who waits; one is not another. */
    private static final class Waiter {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
    }

    /** Notes an event; returns false for one that is known. */
    public boolean add(NonstopEvent event) {
        Set<Waiter> told;
        synchronized (this) {
            if (!known.add(event.getEventId())) {
                return false;
            }
            JobKey key = new JobKey(event.getCluster(), event.getJobId());
            events.add(event);
            byJob.computeIfAbsent(key, job -> new ArrayDeque<>()).add(event);
            if (events.size() > REMEMBERED) {
                forgetOldest();
            }
            told = waiting.remove(key);
            waiters -= told == null ? 0 : told.size();
        }
        if (told != null) {
            told.forEach(waiter -> waiter.done.complete(null));
        }
        return true;
    }

    private void forgetOldest() {
        NonstopEvent oldest = events.remove();
        known.remove(oldest.getEventId());
        JobKey key = new JobKey(oldest.getCluster(), oldest.getJobId());
        Deque<NonstopEvent> ofJob = byJob.get(key);
        if (ofJob != null) {
            ofJob.remove();
            if (ofJob.isEmpty()) {
                byJob.remove(key);
            }
        }
    }

    /**
     * Returns the events of a job that came after the one named, oldest first; all that are remembered when it is null or
     * not remembered.
     */
    public synchronized List<NonstopEvent> after(String cluster, String jobId, @Nullable String eventId) {
        List<NonstopEvent> found = new ArrayList<>();
        for (NonstopEvent event : byJob.getOrDefault(new JobKey(cluster, jobId), new ArrayDeque<>())) {
            if (event.getEventId().equals(eventId)) {
                found.clear();
            } else {
                found.add(event);
            }
        }
        return found;
    }

    /**
     * Completes when there is an event of a job after the one named, or after {@code patience}; at once when too many wait.
     * No thread waits.
     */
    public CompletableFuture<List<NonstopEvent>> await(
            String cluster, String jobId, @Nullable String eventId, Duration patience) {
        JobKey key = new JobKey(cluster, jobId);
        Waiter waiter = new Waiter();
        synchronized (this) {
            List<NonstopEvent> found = after(cluster, jobId, eventId);
            if (!found.isEmpty() || waiters >= MOST_WAITING) {
                return CompletableFuture.completedFuture(found);
            }
            waiting.computeIfAbsent(key, job -> new LinkedHashSet<>()).add(waiter);
            waiters++;
        }
        return waiter.done
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(nothing -> {
                    leave(key, waiter);
                    return after(cluster, jobId, eventId);
                });
    }

    private synchronized void leave(JobKey key, Waiter waiter) {
        Set<Waiter> ofJob = waiting.get(key);
        if (ofJob != null && ofJob.remove(waiter)) {
            waiters--;
            if (ofJob.isEmpty()) {
                waiting.remove(key);
            }
        }
    }

    /** Returns how many wait. */
    synchronized int waiters() {
        return waiters;
    }
}
