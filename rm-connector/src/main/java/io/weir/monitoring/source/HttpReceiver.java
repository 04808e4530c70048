package io.weir.monitoring.source;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Formats;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpHandler;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/**
 * Answers {@code POST /v1/alerts}, which Alertmanager calls as a webhook, and {@code POST /v1/metrics?format=...}. A client
 * shows the token; its body is bounded by the listener. The answer says how many parts became what; 503 asks for the same
 * again. Thread-safe.
 */
final class HttpReceiver implements HttpHandler, AutoCloseable {

    private static final int AT_ONCE = 8;
    private static final long IDLE_SECONDS = 60;

    private final MessageIntake intake;
    private final Format usual;
    private final Path token;

    /** Waits for the broker in the place of the server's few threads; refuses what is more than it can do at a time. */
    private final ExecutorService writers;

    HttpReceiver(MessageIntake intake, Format usual, Path token) {
        this.intake = intake;
        this.usual = usual;
        this.token = token;
        this.writers = new ThreadPoolExecutor(
                0, AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), HttpReceiver::thread);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "monitoring-http-writer");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public CompletionStage<HttpReply> answer(HttpCall call) {
        requireToken(call);
        Format format = format(call);
        if (!call.method().equals("POST")) {
            throw HttpRefusal.method(call.method(), "POST");
        }
        return call.body().thenCompose(body -> taken(format, body));
    }

    private CompletionStage<HttpReply> taken(Format format, byte[] body) {
        try {
            return CompletableFuture.supplyAsync(() -> take(format, body), writers);
        } catch (RejectedExecutionException e) {
            throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "too many requests at a time", 1);
        }
    }

    private HttpReply take(Format format, byte[] body) {
        try {
            Facts facts = intake.take("http", format, body);
            ObjectNode said = JsonNodeFactory.instance.objectNode();
            facts.counts().forEach((matching, count) -> said.put(matching.name().toLowerCase(Locale.ROOT), count));
            if (!facts.reason().isEmpty()) {
                said.put("reason", facts.reason());
            }
            boolean nothing =
                    facts.count(Matching.UNREADABLE) > 0 && facts.counts().size() == 1;
            return HttpReply.json(nothing ? HttpRefusal.BAD_REQUEST : HttpReply.OK, said);
        } catch (KafkaException e) {
            throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "the facts could not be written; send the same again", 5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "stopping", 5);
        }
    }

    private Format format(HttpCall call) {
        String path = String.join("/", call.path());
        if (path.equals("v1/alerts")) {
            return Formats.named("alertmanager").orElseThrow();
        }
        if (!path.equals("v1/metrics")) {
            throw new HttpRefusal(HttpRefusal.NOT_FOUND, "there are /v1/alerts and /v1/metrics");
        }
        String name = call.parameters().getOrDefault("format", usual.name());
        return Formats.named(name)
                .orElseThrow(() -> new HttpRefusal(
                        HttpRefusal.BAD_REQUEST, "format '" + name + "' is unknown; there are " + Formats.names()));
    }

    private void requireToken(HttpCall call) {
        byte[] shown = call.header("Authorization").orElse("").getBytes(StandardCharsets.UTF_8);
        byte[] wanted;
        try {
            wanted = ("Bearer " + Files.readString(token).strip()).getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "the token cannot be read");
        }
        if (wanted.length <= "Bearer ".length() || !MessageDigest.isEqual(shown, wanted)) {
            throw new HttpRefusal(HttpRefusal.UNAUTHORIZED, "Authorization: Bearer TOKEN is needed");
        }
    }

    @Override
    public void close() {
        writers.shutdownNow();
    }
}
