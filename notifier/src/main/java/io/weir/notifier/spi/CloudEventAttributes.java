package io.weir.notifier.spi;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The attributes of a delivery as an event of the CloudEvents specification, version 1.0, for binary content mode. Pure. */
public final class CloudEventAttributes {

    private CloudEventAttributes() {}

    /** Returns the attributes by name, without a protocol's prefix, in a fixed order; values may hold any characters. */
    public static Map<String, String> of(Delivery delivery) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", delivery.id());
        attributes.put("source", "/weir/" + percentEncoded(delivery.cluster()));
        attributes.put("type", "io.weir.notification." + delivery.event());
        attributes.put("subject", delivery.objectType() + "/" + delivery.objectId());
        attributes.put("time", delivery.time().toString());
        return attributes;
    }

    /** Returns {@code text} in printable ASCII without blanks, quotes and percent signs: these become %XX of their UTF-8. */
    public static String percentEncoded(String text) {
        StringBuilder value = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b <= '~' && b != '"' && b != '%') {
                value.append((char) b);
            } else {
                value.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return value.toString();
    }
}
