package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the scheduler answered: outcome, message and details, of which some are rows of a table. */
public final class RequestAnswer {
    private RequestAnswer() {}

    /** Says whether the request was accepted. */
    public static boolean accepted(JsonNode answer) {
        return answer.path("outcome").asText().equals("ACCEPTED");
    }

    /** Returns the message; empty when there is none. */
    public static String message(JsonNode answer) {
        return FieldText.has(answer, "message") ? FieldText.text(answer, "message") : "";
    }

    /** Returns the values of the details called {@code name}, in order. */
    public static List<String> values(JsonNode details, String name) {
        List<String> values = new ArrayList<>();
        for (JsonNode detail : details) {
            if (detail.path("name").asText().equals(name)) {
                values.add(detail.path("value").asText());
            }
        }
        return values;
    }

    /** Reads {@code key=value key=value ...}. */
    public static Map<String, String> row(String value) {
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
    public static List<Map<String, String>> rows(JsonNode details, String name) {
        return values(details, name).stream().map(RequestAnswer::row).toList();
    }
}
