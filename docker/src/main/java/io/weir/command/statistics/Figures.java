package io.weir.command.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.format.TimeText;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The numbers of a row of statistics, read and as text. */
final class Figures {
    private Figures() {}

    /** Returns a row of an answer as an object; whole numbers are numbers in it. */
    static ObjectNode object(Map<String, String> row) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        row.forEach((name, value) -> {
            if (value.matches("-?[0-9]{1,18}")) {
                object.put(name, Long.parseLong(value));
            } else {
                object.put(name, value);
            }
        });
        return object;
    }

    /** Returns a number of seconds as a duration. */
    static String span(JsonNode of, String field) {
        return TimeText.span(Duration.ofSeconds(of.path(field).asLong()));
    }

    /** Returns a number of seconds in hours, with two digits. */
    static String hours(JsonNode of, String field) {
        return String.format(Locale.ROOT, "%.2f", of.path(field).asLong() / 3600.0);
    }

    /** Returns a number of thousandths, with two digits. */
    static String thousandths(JsonNode of, String field) {
        return String.format(Locale.ROOT, "%.2f", of.path(field).asLong() / 1000.0);
    }
}
