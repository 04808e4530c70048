package io.weir.scheduler.query.nonstop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.query.nonstop.CallbackQueue.Message;
import io.weir.scheduler.query.nonstop.CallbackQueue.Target;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
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
 * waiting sets and the time of a call are bounded ({@link CallbackQueue}). Only what {@link CallbackRules} allow is called;
 * redirects are not followed, answers are not read. Thread-safe.
 */
public final class NonstopCallbacks implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NonstopCallbacks.class);
    private static final Set<NonstopEventKind> TOLD = EnumSet.of(
            NonstopEventKind.NODE_FAILED,
            NonstopEventKind.NODE_FAILING,
            NonstopEventKind.NODE_REPLACE,
            NonstopEventKind.NODE_REPLACED);

    private static final int RESOLVERS = 4;
    private static final long TICK_MILLIS = 200;
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final CallbackRules rules;
    private final BiPredicate<String, String> ended;
    private final LongSupplier nanos;
    private final CallbackQueue queue = new CallbackQueue();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(named("nonstop-callbacks"));
    private final ExecutorService resolvers = Executors.newFixedThreadPool(RESOLVERS, named("nonstop-callback"));
    private final HttpClient http;
    private boolean full;

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
            boolean added = queue.add(target, event.getKind(), event.getEventId(), nanos.getAsLong());
            if (!added && !full) {
                log.warn(
                        "More than {} addresses wait to be called back; further ones are not told",
                        CallbackQueue.MOST_WAITING);
            }
            full = !added;
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
        return queue.due(nanos.getAsLong());
    }

    private synchronized Message take(Target target) {
        return queue.take(target);
    }

    private void call(Target target) {
        Message told = take(target);
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
                    .POST(HttpRequest.BodyPublishers.ofString(body(target, told)))
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

    private synchronized void end(Target target, Message told, boolean over, String why) {
        boolean ended = queue.end(target, told, over, nanos.getAsLong());
        if (!ended) {
            log.debug("job={} endpoint={} not told: {}", target.jobId(), target.endpoint(), why);
        } else if (!why.isEmpty()) {
            log.warn("job={} endpoint={} is not told of {}: {}", target.jobId(), target.endpoint(), told.kinds(), why);
        }
    }

    private static String body(Target target, Message told) {
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("cluster", target.cluster())
                .put("jobId", target.jobId());
        ArrayNode events = body.putArray("events");
        told.kinds().forEach(kind -> events.add(kind.name()));
        return body.put("lastEventId", told.lastEvent()).toString();
    }

    /** Returns how many addresses wait to be told. */
    synchronized int waiting() {
        return queue.size();
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
