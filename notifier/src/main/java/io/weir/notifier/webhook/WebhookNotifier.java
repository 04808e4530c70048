package io.weir.notifier.webhook;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;

/**
 * Posts each delivery as JSON and reads the answer from the status: 2xx is taken; 408, 429, 5xx and everything that goes
 * wrong on the way may succeed later; any other status never will. The header {@code Idempotency-Key} carries the
 * delivery's id, by which the receiver recognises a repetition.
 */
final class WebhookNotifier implements Notifier {

    private final WebhookRequests requests;
    private final WebCall call;
    private final Clock clock;

    WebhookNotifier(WebhookRequests requests, WebCall call, Clock clock) {
        this.requests = requests;
        this.call = call;
        this.clock = clock;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        return WebAnswer.judged(send(delivery), requests.receiver(), clock);
    }

    @Override
    public void close() {
        // The client's connections and thread end with the last reference to it.
    }

    private HttpResponse<String> send(Delivery delivery) throws DeliveryException, InterruptedException {
        try {
            return call.send(requests.of(delivery), requests.receiver(), requests.timeout());
        } catch (IOException e) {
            throw new RetriableDeliveryException(String.valueOf(e.getMessage()), e);
        }
    }
}
