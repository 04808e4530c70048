package io.weir.notifier.webhook;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Posts each charge to a service that keeps accounts. Its id goes with it, in the body and as {@code Idempotency-Key}, so
 * that one that comes again is booked once.
 *
 * @param url where it goes
 * @param form how it is written
 * @param timeout for its answer
 * @param authorization file with that header's value; empty for none
 * @param call connections
 * @param clock for what the answer says about later
 */
record ChargePost(
        URI url, Form form, Duration timeout, Optional<AuthorizationFile> authorization, WebCall call, Clock clock)
        implements ChargePeer {

    /**
     * How a charge is written.
     *
     * @param lago for Lago; otherwise as a CloudEvent, which OpenMeter takes
     * @param code Lago's name of the metric
     */
    record Form(boolean lago, String code) {
        String body(Charge charge) {
            return lago ? ChargeForm.lago(charge, code) : ChargeForm.cloudEvent(charge);
        }

        String contentType() {
            return lago ? "application/json" : "application/cloudevents+json";
        }
    }

    @Override
    public Receipt book(Charge charge) throws DeliveryException, InterruptedException {
        String receiver = WebhookProvider.receiver(url);
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(url)
                    .timeout(timeout)
                    .header("Content-Type", form.contentType())
                    .header("Idempotency-Key", ChargeForm.id(charge))
                    .POST(HttpRequest.BodyPublishers.ofString(form.body(charge), StandardCharsets.UTF_8));
            if (authorization.isPresent()) {
                request.header("Authorization", authorization.get().read());
            }
            return WebAnswer.judged(call.send(request.build(), receiver, timeout), receiver, clock);
        } catch (IOException e) {
            throw new RetriableDeliveryException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        // The client's connections and thread end with the last reference to it.
    }
}
