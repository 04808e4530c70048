package io.weir.notifier.webhook;

import io.weir.notifier.spi.OneLine;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the first bytes of an answer for people to read and gives up the rest, so that no receiver can fill the memory or
 * hold the attempt. A text that breaks off ends there: its status was told before. Thread-safe.
 */
final class BeginningOfBody implements HttpResponse.BodySubscriber<String> {

    static final int LIMIT_BYTES = 512;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(LIMIT_BYTES);
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final boolean text;
    private volatile Flow.@Nullable Subscription subscription;

    BeginningOfBody(HttpHeaders headers) {
        String type = headers.firstValue("Content-Type").orElse("text/plain");
        this.text = type.startsWith("text/") || type.contains("json") || type.contains("xml");
    }

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        if (isEnough(parts)) {
            giveUpTheRest();
        }
    }

    private synchronized boolean isEnough(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            byte[] bytes = new byte[Math.min(part.remaining(), LIMIT_BYTES - kept.size())];
            part.get(bytes);
            kept.writeBytes(bytes);
        }
        return kept.size() == LIMIT_BYTES;
    }

    /** Ends with what has come so far. */
    void giveUpTheRest() {
        body.complete(keptText());
        Flow.Subscription rest = subscription;
        if (rest != null) {
            rest.cancel();
        }
    }

    @Override
    public void onError(Throwable cause) {
        body.complete(keptText());
    }

    @Override
    public void onComplete() {
        body.complete(keptText());
    }

    /** One line, without characters that would upset a log. */
    private synchronized String keptText() {
        if (!text) {
            return "";
        }
        return OneLine.of(kept.toString(StandardCharsets.UTF_8)).replaceAll("\\s+", " ");
    }
}
