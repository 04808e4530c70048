package io.weir.notifier.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * The JSON form in which channels that speak JSON carry a delivery: one object on one line, its fields always there and
 * always in this order, the time in ISO 8601 UTC, the severity in lower case; {@code possibleDuplicate} is there only when
 * it is true. One way only. Safe for any thread.
 */
public final class DeliveryJson {

    /** Name of the field that holds the delivery's id. */
    public static final String ID = "id";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DeliveryJson() {}

    /** Returns {@code delivery} as one line without its end. */
    public static String of(Delivery delivery) {
        ObjectNode json = MAPPER.createObjectNode()
                .put(ID, delivery.id())
                .put("cluster", delivery.cluster())
                .put("time", delivery.time().toString())
                .put("severity", delivery.severity().name().toLowerCase(Locale.ROOT))
                .put("event", delivery.event())
                .put("objectType", delivery.objectType())
                .put("objectId", delivery.objectId())
                .put("subject", delivery.subject())
                .put("text", delivery.text());
        ArrayNode recipients = json.putArray("recipients");
        delivery.recipients().forEach(recipients::add);
        if (delivery.possibleDuplicate()) {
            json.put("possibleDuplicate", true);
        }
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of strings cannot fail to be written", e);
        }
    }
}
