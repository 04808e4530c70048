package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.TimeText;
import io.weir.scheduler.core.reservation.TimeArgument;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** How values of the views are written for people. Times are UTC. */
final class Shown {
    static final String NOTHING = "-";
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z");

    /** What has no end ends then. */
    private static final Instant NEVER = Instant.ofEpochSecond(TimeArgument.FOREVER);

    private static final int SECONDS_A_DAY = 86_400;
    private static final long FOR_EVER = 50L * 366 * SECONDS_A_DAY;

    private Shown() {}

    /** Returns the text of a field, or a dash when it is not there or empty. */
    static String text(JsonNode of, String field) {
        JsonNode value = of.path(field);
        return value.isMissingNode() || value.isNull() || value.asText().isEmpty() ? NOTHING : value.asText();
    }

    /** Returns the load of a node with two digits, or a dash. */
    static String load(JsonNode node) {
        return has(node, "load")
                ? String.format(Locale.ROOT, "%.2f", node.path("load").asDouble())
                : NOTHING;
    }

    static boolean has(JsonNode of, String field) {
        return !text(of, field).equals(NOTHING);
    }

    /** Returns an enum symbol the way people write it: {@code RUNNING} is Running. */
    static String word(JsonNode of, String field) {
        String symbol = text(of, field);
        return symbol.charAt(0) + symbol.substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static Optional<Instant> instant(JsonNode of, String field) {
        return has(of, field) ? Optional.of(Instant.parse(of.path(field).asText())) : Optional.empty();
    }

    /** Returns an instant such as {@code Mon Jan 03 12:00:00 2022}. */
    static String time(JsonNode of, String field) {
        return instant(of, field).map(Shown::time).orElse(NOTHING);
    }

    static String time(Instant instant) {
        return instant.isBefore(NEVER) ? TimeText.of(instant) : "INFINITY";
    }

    /** Returns {@code text} with the instants in it written as all others are. */
    static String readable(String text) {
        return INSTANT.matcher(text).replaceAll(found -> time(Instant.parse(found.group())));
    }

    /** Returns an instant relative to {@code now}: {@code [-][D:]HH:MM:SS}, INFINITY when it never comes. */
    static String relative(Instant instant, Instant now) {
        return span(Duration.between(now, instant));
    }

    static String span(JsonNode of, String seconds) {
        return has(of, seconds) ? span(Duration.ofSeconds(of.path(seconds).asLong())) : NOTHING;
    }

    /** Returns a span as {@code [-][D:]HH:MM:SS}; fifty years and more are INFINITY. */
    static String span(Duration span) {
        Duration size = span.abs();
        String sign = span.isNegative() ? "-" : "";
        if (size.toSeconds() >= FOR_EVER) {
            return sign + "INFINITY";
        }
        String clock = String.format(
                Locale.ROOT, "%02d:%02d:%02d", size.toHoursPart(), size.toMinutesPart(), size.toSecondsPart());
        return sign + (size.toDays() > 0 ? size.toDays() + ":" : "") + clock;
    }

    /** Returns the parts of a list joined by commas, or a dash. */
    static String list(JsonNode of, String field) {
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

    /** Returns a share in percent with two digits. */
    static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0.0 : 100.0 * part / whole);
    }
}
