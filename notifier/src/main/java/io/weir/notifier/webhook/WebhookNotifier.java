package io.weir.notifier.webhook;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts each delivery as JSON and reads the answer from the status: 2xx is taken; 408, 429, 5xx and everything that goes
 * wrong on the way may succeed later; any other status never will. The header {@code Idempotency-Key} carries the
 * delivery's id, by which the receiver recognises a repetition.
 */
final class WebhookNotifier implements Notifier {

    private final URI url;

    /** Scheme and authority alone: paths and queries of webhooks hold secrets. */
    private final String receiver;

    private final Duration timeout;
    private final Optional<String> authorization;
    private final Clock clock;
    private final HttpClient client;

    WebhookNotifier(URI url, Duration timeout, Optional<String> authorization, Clock clock) {
        this.url = url;
        this.receiver = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
        this.timeout = timeout;
        this.authorization = authorization;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        HttpResponse<String> response = post(request(delivery));
        int status = response.statusCode();
        String said = "HTTP " + status + " from " + receiver
                + (response.body().isEmpty() ? "" : ": " + response.body().strip());
        if (status >= 200 && status < 300) {
            return new Receipt(said);
        }
        if (status == 408 || status == 429 || status >= 500) {
            Optional<Duration> retryAfter = response.headers()
                    .firstValue("Retry-After")
                    .flatMap(value -> RetryAfter.parse(value, clock.instant()));
            throw retryAfter
                    .map(wait -> new RetriableDeliveryException(said, wait))
                    .orElseGet(() -> new RetriableDeliveryException(said));
        }
        throw new DeliveryException(said);
    }

    @Override
    public void close() {
        // The client's connections and thread end with the last reference to it.
    }

    private HttpRequest request(Delivery delivery) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", headerValue(delivery.id()))
                .POST(HttpRequest.BodyPublishers.ofString(DeliveryJson.of(delivery)));
        authorization.ifPresent(value -> request.header("Authorization", value));
        return request.build();
    }

    /** Waits for the whole answer; the client's own timeout ends with the answer's headers. */
    private HttpResponse<String> post(HttpRequest request) throws DeliveryException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, info -> new BeginningOfBody(info.headers()));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new RetriableDeliveryException(
                    "no answer from " + receiver + " within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new RetriableDeliveryException("no answer from " + receiver + ": " + cause, cause);
        } finally {
            answer.cancel(true);
        }
    }

    /** Writes {@code id} so that a header can hold it: what is not printable ASCII becomes %XX of its UTF-8. */
    private static String headerValue(String id) {
        StringBuilder value = new StringBuilder(id.length());
        for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b <= '~') {
                value.append((char) b);
            } else {
                value.append('%')
                        .append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xF, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 0xF, 16)));
            }
        }
        return value.toString();
    }
}
