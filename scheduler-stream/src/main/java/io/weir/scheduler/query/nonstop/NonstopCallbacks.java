package io.weir.scheduler.query.nonstop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the addresses that jobs subscribed what befell their nodes. What an address was not told yet is one set of flags,
 * however much happens; it is posted as JSON, and again with growing pauses until the address takes it or the patience ends.
 * Nobody waits for a subscriber: {@link #tell} only notes, an address has one call at a time, and the number of calls, of
 * waiting sets and the time of a call are bounded. Only what {@link CallbackRules} allow is called; redirects are not
 * followed, answers are not read. Thread-safe.
 */
public final class NonstopCallbacks implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NonstopCallbacks.class);
    private static final Set<NonstopEventKind> TOLD = EnumSet.of(
            NonstopEventKind.NODE_FAILED,
            NonstopEventKind.NODE_FAILING,
            NonstopEventKind.NODE_REPLACE,
            NonstopEventKind.NODE_REPLACED);

    /** Sets of flags that may wait. */
    static final int MOST_WAITING = 4_096;

    private static final int MOST_CALLS = 64;
    private static final int RESOLVERS = 4;
    private static final long TICK_MILLIS = 200;
    private static final long LONGEST_PAUSE_SECONDS = 60;
    private static final long PATIENCE_SECONDS = 3_600;
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final CallbackRules rules;
    private final BiPredicate<String, String> ended;
    private final LongSupplier nanos;
    private final Map<Target, Waiting> waiting = new LinkedHashMap<>();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(named("nonstop-callbacks"));
    private final ExecutorService resolvers = Executors.newFixedThreadPool(RESOLVERS, named("nonstop-callback"));
    private final HttpClient http;
    private int calls;
    private boolean full;

    private record Target(String cluster, String jobId, String endpoint) {}

    /** What an address was not told yet, beside what a call under way tells it. Guarded by the whole. */
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

    /**
     * Begins with nobody to be told.
     *
     * @param ended says of a cluster and a job whether that is known to have ended: then nobody is told of it any more; may
     *     take its time
     */
    public NonstopCallbacks(CallbackRules rules, BiPredicate<String, String> ended) {
        this(rules, ended, System::nanoTime);
    }

    NonstopCallbacks(CallbackRules rules, BiPredicate<String, String> ended, LongSupplier nanos) {
        this.rules = rules;
        this.ended = ended;
        this.nanos = nanos;
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .build();
        Future<?> unused =
                timer.scheduleWithFixedDelay(this::callWhoIsDue, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Notes that the addresses in an event are to be told of it. */
    public synchronized void tell(NonstopEvent event) {
        if (!TOLD.contains(event.getKind())) {
            return;
        }
        for (String endpoint : event.getEndpoints()) {
            Target target = new Target(event.getCluster(), event.getJobId(), endpoint);
            if (waiting.size() >= MOST_WAITING && !waiting.containsKey(target)) {
                if (!full) {
                    log.warn("More than {} addresses wait to be called back; further ones are not told", MOST_WAITING);
                }
                full = true;
                continue;
            }
            full = false;
            Waiting flags = waiting.computeIfAbsent(target, known -> new Waiting(nanos.getAsLong()));
            flags.kinds.add(event.getKind());
            flags.lastEvent = event.getEventId();
        }
    }

    private void callWhoIsDue() {
        try {
            for (Target target : due()) {
                resolvers.execute(() -> call(target));
            }
        } catch (RejectedExecutionException e) {
            log.debug("Stopping", e);
        } catch (RuntimeException e) {
            log.error("Callbacks", e);
        }
    }

    private synchronized List<Target> due() {
        List<Target> due = new ArrayList<>();
        long now = nanos.getAsLong();
        for (Map.Entry<Target, Waiting> entry : waiting.entrySet()) {
            Waiting flags = entry.getValue();
            if (calls < MOST_CALLS && !flags.calling && flags.next - now <= 0) {
                flags.calling = true;
                calls++;
                due.add(entry.getKey());
            }
        }
        return due;
    }

    private void call(Target target) {
        EnumSet<NonstopEventKind> told;
        String body;
        synchronized (this) {
            Waiting flags = waiting.get(target);
            if (flags == null) {
                calls--;
                return;
            }
            told = EnumSet.copyOf(flags.kinds);
            body = body(target, told, flags.lastEvent);
            flags.kinds.clear();
        }
        try {
            if (ended.test(target.cluster(), target.jobId())) {
                end(target, told, true, "");
                return;
            }
            Optional<URI> address = rules.resolve(target.endpoint());
            if (address.isEmpty()) {
                end(target, told, true, "is not allowed by nonstop.callbacks");
                return;
            }
            HttpRequest request = HttpRequest.newBuilder(address.get())
                    .timeout(CALL)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(request, head -> new NoBody());
            Future<?> unused = answer.orTimeout(CALL.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((response, failure) -> {
                        if (failure != null) {
                            answer.cancel(true);
                            end(target, told, false, failure.toString());
                        } else {
                            boolean taken = response.statusCode() >= OK && response.statusCode() < NOT_OK;
                            end(target, told, taken, taken ? "" : "status " + response.statusCode());
                        }
                    });
        } catch (RuntimeException e) {
            end(target, told, false, e.toString());
        }
    }

    private synchronized void end(Target target, EnumSet<NonstopEventKind> told, boolean over, String why) {
        calls--;
        Waiting flags = waiting.get(target);
        if (flags == null) {
            return;
        }
        flags.calling = false;
        long now = nanos.getAsLong();
        if (!over && now - flags.since < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            flags.kinds.addAll(told);
            long pause = Math.min(LONGEST_PAUSE_SECONDS, 1L << Math.min(flags.attempts++, 6));
            flags.next = now + TimeUnit.SECONDS.toNanos(pause);
            log.debug("job={} endpoint={} not told: {}", target.jobId(), target.endpoint(), why);
            return;
        }
        if (!why.isEmpty()) {
            log.warn("job={} endpoint={} is not told of {}: {}", target.jobId(), target.endpoint(), told, why);
        }
        flags.attempts = 0;
        flags.since = now;
        flags.next = now;
        if (flags.kinds.isEmpty()) {
            waiting.remove(target);
        }
    }

    private static String body(Target target, Set<NonstopEventKind> kinds, String lastEvent) {
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("cluster", target.cluster())
                .put("jobId", target.jobId());
        ArrayNode events = body.putArray("events");
        kinds.forEach(kind -> events.add(kind.name()));
        return body.put("lastEventId", lastEvent).toString();
    }

    /** Returns how many addresses wait to be told. */
    synchronized int waiting() {
        return waiting.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        resolvers.shutdownNow();
    }

    /** Reads nothing: whatever a subscriber says, and however long it speaks, its status is enough. */
    private static final class NoBody implements HttpResponse.BodySubscriber<Void> {
        @Override
        public CompletionStage<Void> getBody() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            // Nothing was asked for.
        }

        @Override
        public void onError(Throwable throwable) {
            // The status is known.
        }

        @Override
        public void onComplete() {
            // The status is known.
        }
    }
}
