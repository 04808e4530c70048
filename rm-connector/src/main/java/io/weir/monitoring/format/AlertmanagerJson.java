package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Alertmanager's webhook message, version 4: {@code {"version":"4","alerts":[{"status","labels","startsAt",...}]}}. */
final class AlertmanagerJson implements Format {

    @Override
    public String name() {
        return "alertmanager";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        JsonText.parse(message, reading).ifPresent(root -> {
            if (!recognises(root)) {
                reading.unreadable("no alerts");
                return;
            }
            root.path("alerts").forEach(alert -> alert(alert, reading));
        });
        return reading;
    }

    /** Whether {@code root} looks like it. */
    static boolean recognises(JsonNode root) {
        return root.path("alerts").isArray();
    }

    private static void alert(JsonNode alert, Reading reading) {
        Map<String, String> labels = JsonText.labels(alert.path("labels"));
        String name = labels.getOrDefault("alertname", "");
        String status = alert.path("status").asText();
        if (name.isEmpty() || !(status.equals("firing") || status.equals("resolved"))) {
            reading.unreadable("an alert without alertname, or of status '" + status + "'");
            return;
        }
        boolean firing = status.equals("firing");
        Optional<Instant> time = JsonText.time(alert.path(firing ? "startsAt" : "endsAt"));
        JsonNode notes = alert.path("annotations");
        String message = notes.path("summary").asText("");
        String more = notes.path("description").asText("");
        String fingerprint = alert.path("fingerprint").asText("");
        reading.add(new Alert(
                name,
                labels,
                firing,
                time,
                message.isEmpty() ? more : more.isEmpty() ? message : message + "\n" + more,
                fingerprint.isEmpty() ? new TreeMap<>(labels).toString() : fingerprint,
                true));
    }
}
