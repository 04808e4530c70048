package io.weir.notifier.mail;

import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import java.util.List;

/** Deliveries with recipients of their own. */
final class MailDeliveries {

    private MailDeliveries() {}

    static Delivery to(String id, String... recipients) {
        Delivery down = Deliveries.nodeDown(id);
        return new Delivery(
                down.id(),
                down.cluster(),
                down.time(),
                down.severity(),
                down.event(),
                down.objectType(),
                down.objectId(),
                down.subject(),
                down.text(),
                List.of(recipients),
                false);
    }
}
