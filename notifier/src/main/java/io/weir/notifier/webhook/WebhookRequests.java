package io.weir.notifier.webhook;

import io.weir.notifier.spi.CloudEventAttributes;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.service.http.PercentEncoding;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes the request of a delivery: its JSON as the body, its attributes as CloudEvents headers, its id as
 * {@code Idempotency-Key}. Immutable.
 *
 * @param url where it goes
 * @param timeout for its answer
 * @param authorization value of that header
 * @param signature of the body
 */
record WebhookRequests(URI url, Duration timeout, Authorization authorization, Optional<RequestSignature> signature) {

    /** Value of the header {@code Authorization}, read when it is needed. */
    interface Authorization {
        Optional<String> read() throws IOException;
    }

    String receiver() {
        return WebhookProvider.receiver(url);
    }

    /** Returns the request that carries {@code delivery}; throws when a secret cannot be read. */
    HttpRequest of(Delivery delivery) throws IOException {
        byte[] body = DeliveryJson.of(delivery).getBytes(StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", PercentEncoding.encode(delivery.id()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        CloudEventAttributes.of(delivery)
                .forEach((name, value) -> request.header("ce-" + name, PercentEncoding.encode(value)));
        authorization.read().ifPresent(value -> request.header("Authorization", value));
        if (signature.isPresent()) {
            request.header("X-Weir-Signature", signature.get().of(body));
        }
        return request.build();
    }
}
