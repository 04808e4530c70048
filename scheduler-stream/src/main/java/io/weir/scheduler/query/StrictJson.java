package io.weir.scheduler.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.weir.service.http.HttpRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads bodies so that nothing in them goes unseen: one object, no field twice, nothing behind it, not deep, all text
 * well-formed.
 */
final class StrictJson {
    private static final int DEEPEST = 8;
    private static final int LONGEST_NUMBER = 64;
    private static final int LONGEST_NAME = 256;
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxNameLength(LONGEST_NAME)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    /** Returns the object in {@code body}; refuses anything else. */
    static JsonNode object(byte[] body) {
        JsonNode node;
        try {
            node = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw bad("The body is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            // Bytes in memory can always be read: these are none of the encoding that the first four announce.
            throw bad("The body is no JSON: " + e.getMessage() + "; write it in UTF-8");
        }
        if (!node.isObject()) {
            throw bad("The body is to be one JSON object: {...}");
        }
        checkTexts(node);
        return node;
    }

    /** Refuses halves of characters: they are written as others, and what has them is never found again. */
    private static void checkTexts(JsonNode node) {
        if (node.isTextual()) {
            checkText(node.textValue());
        }
        node.forEach(StrictJson::checkTexts);
    }

    private static void checkText(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw bad("A text has half of a surrogate pair, such as \\ud800 alone; both halves are needed");
        }
    }

    /** Refuses an object that has another field than {@code known}. */
    static void onlyFields(JsonNode object, Set<String> known) {
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw bad("There is no field '" + name + "'; there are " + new TreeSet<>(known));
            }
        }
    }

    /** Returns the text of a field; refuses one that is absent or something else. */
    static String text(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isTextual()) {
            throw bad(field + " is " + (value.isMissingNode() ? "absent" : shown(value))
                    + "; a text in quotes is needed");
        }
        return value.textValue();
    }

    /** Returns a value as a refusal quotes it. */
    static String shown(JsonNode value) {
        return shown(value.toString());
    }

    /** Returns a text as a refusal quotes it. */
    static String shown(String text) {
        return text.length() > LONGEST_NAME ? text.substring(0, LONGEST_NAME) + "..." : text;
    }

    private static HttpRefusal bad(String message) {
        return new HttpRefusal(HttpRefusal.BAD_REQUEST, message);
    }
}
