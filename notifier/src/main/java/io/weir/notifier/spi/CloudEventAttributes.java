package io.weir.notifier.spi;

import io.weir.service.http.PercentEncoding;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The attributes of a delivery, or of the event behind an action, as an event of the CloudEvents specification, version 1.0, for binary content mode. Pure. */
public final class CloudEventAttributes {

    private CloudEventAttributes() {}

    /** Returns the attributes by name, without a protocol's prefix, in a fixed order; values may hold any characters. */
    public static Map<String, String> of(Delivery delivery) {
        return of(
                delivery.id(),
                delivery.cluster(),
                "io.weir.notification." + delivery.event(),
                delivery.objectType() + "/" + delivery.objectId(),
                delivery.time());
    }

    /** Returns the attributes of the event behind {@code action}, as {@link #of(Delivery)} does. */
    public static Map<String, String> of(Action action) {
        return of(
                action.id(),
                action.cluster(),
                "io.weir.trigger." + action.event(),
                action.objectType() + "/" + action.objectId(),
                action.time());
    }

    private static Map<String, String> of(String id, String cluster, String type, String subject, Instant time) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", id);
        attributes.put("source", "/weir/" + PercentEncoding.encode(cluster));
        attributes.put("type", type);
        attributes.put("subject", subject);
        attributes.put("time", time.toString());
        return attributes;
    }
}
