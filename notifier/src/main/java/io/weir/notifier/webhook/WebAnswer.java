package io.weir.notifier.webhook;

import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** What an answer's status means: 2xx is taken; 408, 429 and 5xx may be later; any other status never will. Pure. */
final class WebAnswer {

    private WebAnswer() {}

    /** Returns the receipt in {@code response} of {@code receiver}; throws when it is none. */
    static Receipt judged(HttpResponse<String> response, String receiver, Clock clock) throws DeliveryException {
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
}
