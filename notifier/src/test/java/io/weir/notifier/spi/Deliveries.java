package io.weir.notifier.spi;

import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;

/** Deliveries to test with. */
public final class Deliveries {

    private Deliveries() {}

    /** Returns a delivery about a node that went down. */
    public static Delivery nodeDown(String id) {
        return of(id, "nodedown", Severity.ERROR, "n1 is down", "n1 stopped answering.\nTwo jobs ran on it.");
    }

    /** Returns a delivery of {@code event}. */
    public static Delivery of(String id, String event, Severity severity) {
        return of(id, event, severity, event, event);
    }

    /** Returns a delivery with the words given. */
    public static Delivery of(String id, String event, Severity severity, String subject, String text) {
        return new Delivery(
                id,
                "tiny",
                Instant.parse("2026-03-01T10:00:00.250Z"),
                severity,
                event,
                "node",
                "n1",
                subject,
                text,
                List.of("ops@example.org"),
                false);
    }
}
