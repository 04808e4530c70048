package io.weir.notifier.webhook;

import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request and waits for the answer. Its status says what the receiver made of the request: it counts when it is there,
 * even where the text behind it breaks off or never ends.
 *
 * @param client connections and TLS
 */
record WebCall(HttpClient client) {

    /** How long the client may take to hand over an answer that is there. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Returns the answer, whatever its status, with the beginning of its body. */
    HttpResponse<String> send(HttpRequest request, String receiver, Duration timeout)
            throws RetriableDeliveryException, InterruptedException {
        AtomicReference<@Nullable BeginningOfBody> begun = new AtomicReference<>();
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, info -> {
            BeginningOfBody body = new BeginningOfBody(info.headers());
            begun.set(body);
            return body;
        });
        try {
            return whatIsThere(answer, begun, timeout);
        } catch (TimeoutException e) {
            throw RetriableDeliveryException.inDoubt(
                    "no answer from " + receiver + " within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String message = OneLine.of("no answer from " + receiver + ": " + cause);
            if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
                throw new RetriableDeliveryException(message, cause);
            }
            throw RetriableDeliveryException.inDoubt(message, cause);
        } finally {
            answer.cancel(true);
        }
    }

    private static HttpResponse<String> whatIsThere(
            CompletableFuture<HttpResponse<String>> answer,
            AtomicReference<@Nullable BeginningOfBody> begun,
            Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            BeginningOfBody body = begun.get();
            if (body == null) {
                throw e;
            }
            body.giveUpTheRest();
            return answer.get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
