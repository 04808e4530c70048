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

/**
 * Sends one request and waits for the whole answer; the client's own timeout ends with the answer's headers.
 *
 * @param client connections and TLS
 */
record WebCall(HttpClient client) {

    /** Returns the answer, whatever its status, with the beginning of its body. */
    HttpResponse<String> send(HttpRequest request, String receiver, Duration timeout)
            throws RetriableDeliveryException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, info -> new BeginningOfBody(info.headers()));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
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
}
