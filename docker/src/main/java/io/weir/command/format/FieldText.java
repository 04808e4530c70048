package io.weir.command.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Fields of the API's views as text; a field that is missing or empty is a dash. */
public final class FieldText {
    /** Stands for a missing or empty field. */
    public static final String NOTHING = "-";

    private FieldText() {}

    /** Returns the text of a field. */
    public static String text(JsonNode of, String field) {
        JsonNode value = of.path(field);
        return value.isMissingNode() || value.isNull() || value.asText().isEmpty() ? NOTHING : value.asText();
    }

    /** Says whether a field is there and not empty. */
    public static boolean has(JsonNode of, String field) {
        return !text(of, field).equals(NOTHING);
    }

    /** Returns the load of a node with two digits. */
    public static String load(JsonNode node) {
        return has(node, "load")
                ? String.format(Locale.ROOT, "%.2f", node.path("load").asDouble())
                : NOTHING;
    }

    /** Returns an enum symbol capitalised: {@code RUNNING} is Running. */
    public static String word(JsonNode of, String field) {
        String symbol = text(of, field);
        return symbol.charAt(0) + symbol.substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the instant in a field; empty when there is none. */
    public static Optional<Instant> instant(JsonNode of, String field) {
        return has(of, field) ? Optional.of(Instant.parse(of.path(field).asText())) : Optional.empty();
    }

    /** Returns an instant such as {@code Mon Jan 03 12:00:00 2022}. */
    public static String time(JsonNode of, String field) {
        return instant(of, field).map(TimeText::time).orElse(NOTHING);
    }

    /** Returns a number of seconds as {@code [-][D:]HH:MM:SS}. */
    public static String span(JsonNode of, String seconds) {
        return has(of, seconds)
                ? TimeText.span(Duration.ofSeconds(of.path(seconds).asLong()))
                : NOTHING;
    }

    /** Returns the elements of a list, or the entries of an object as {@code name:value}, joined by commas. */
    public static String list(JsonNode of, String field) {
        StringBuilder text = new StringBuilder();
        JsonNode value = of.path(field);
        if (value.isObject()) {
            value.properties()
                    .forEach(entry -> text.append(text.isEmpty() ? "" : ",")
                            .append(entry.getKey())
                            .append(':')
                            .append(entry.getValue().asText()));
        } else {
            for (JsonNode item : value) {
                text.append(text.isEmpty() ? "" : ",");
                if (item.has("name") && item.has("value")) {
                    text.append(item.path("name").asText())
                            .append('=')
                            .append(item.path("value").asText());
                } else {
                    text.append(item.asText());
                }
            }
        }
        return text.isEmpty() ? NOTHING : text.toString();
    }
}
