package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/**
 * Events of the CloudEvents specification in structured mode. The type, or {@code data.event}, is the name;
 * {@code data.host}, or the subject, the host; {@code data.active} false ends it.
 */
final class CloudEventsJson implements Format {

    @Override
    public String name() {
        return "cloudevents";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (root.isArray()) {
                root.forEach(event -> event(event, reading));
            } else {
                event(root, reading);
            }
        });
        return reading;
    }

    /** Whether {@code root} looks like it. */
    static boolean recognises(JsonNode root) {
        return (root.isArray() ? root.path(0) : root).path("specversion").isTextual();
    }

    private static void event(JsonNode event, Reading reading) {
        JsonNode data = event.path("data");
        String name = data.path("event").asText(event.path("type").asText(""));
        if (name.isEmpty() || !event.path("specversion").isTextual()) {
            reading.unreadable("an event without specversion and type");
            return;
        }
        Map<String, String> labels = new HashMap<>(JsonText.labels(data));
        if (!labels.containsKey("host") && event.path("subject").isTextual()) {
            labels.put("host", event.path("subject").asText());
        }
        reading.add(new Alert(
                name,
                labels,
                data.path("active").asBoolean(true),
                JsonText.time(event.path("time")),
                data.path("message").asText(""),
                event.path("id").asText(""),
                false));
    }
}
