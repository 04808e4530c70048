package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the scheduler answered: outcome, message and details, of which some are rows of a table. */
final class Answers {
    private Answers() {}

    static boolean accepted(JsonNode answer) {
        return answer.path("outcome").asText().equals("ACCEPTED");
    }

    static String message(JsonNode answer) {
        return Shown.has(answer, "message") ? Shown.text(answer, "message") : "";
    }

    /** Returns the values of the details called {@code name}, in order. */
    static List<String> values(JsonNode details, String name) {
        List<String> values = new ArrayList<>();
        for (JsonNode detail : details) {
            if (detail.path("name").asText().equals(name)) {
                values.add(detail.path("value").asText());
            }
        }
        return values;
    }

    /** Reads {@code key=value key=value ...}. */
    static Map<String, String> row(String value) {
        Map<String, String> row = new LinkedHashMap<>();
        for (String pair : value.strip().split("\\s+", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                row.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return row;
    }

    /** Returns the rows called {@code name}, in order. */
    static List<Map<String, String>> rows(JsonNode details, String name) {
        return values(details, name).stream().map(Answers::row).toList();
    }
}
