package io.weir.monitoring.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All formats there are, and the one that tells them apart. Immutable. */
public final class Formats {

    private static final Map<String, Format> BY_NAME = new TreeMap<>();

    static {
        List.of(
                        new InfluxLines(),
                        new TelegrafJson(),
                        new LdmsJson(),
                        new AlertmanagerJson(),
                        new CollectdJson(),
                        new PrometheusAdapterJson(),
                        new OtlpJson(),
                        new OtlpProto(),
                        new CloudEventsJson(),
                        new Auto())
                .forEach(format -> BY_NAME.put(format.name(), format));
    }

    private Formats() {}

    /** Returns the format called {@code name}; empty when there is none. */
    public static Optional<Format> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Returns all names, sorted. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /** Tells by the message itself: Alertmanager, Telegraf and LDMS by their JSON, anything else is Influx lines. */
    private static final class Auto implements Format {

        @Override
        public String name() {
            return "auto";
        }

        @Override
        public Reading read(byte[] message) {
            int first = 0;
            while (first < message.length && Character.isWhitespace(message[first])) {
                first++;
            }
            if (first == message.length) {
                return new Reading();
            }
            if (message[first] != '{' && message[first] != '[') {
                return new InfluxLines().read(message);
            }
            Reading reading = new Reading();
            Optional<JsonNode> root = JsonText.parse(message, reading);
            if (root.isEmpty()) {
                return reading;
            }
            if (AlertmanagerJson.recognises(root.get())) {
                return new AlertmanagerJson().read(message);
            }
            if (TelegrafJson.recognises(root.get())
                    || TelegrafJson.recognises(root.get().path(0))) {
                return new TelegrafJson().read(message);
            }
            if (LdmsJson.recognises(root.get())) {
                return new LdmsJson().read(message);
            }
            reading.unreadable("JSON of none of the formats that auto knows; name one of " + names());
            return reading;
        }
    }
}
