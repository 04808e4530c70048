package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.schemas.bound.Bound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of Slurm's JSON in all its dialects: a number is a number, or an object that says whether it is set; a
 * state is a word, or a list of words.
 *
 * @param node an object
 */
record SlurmJson(JsonNode node) {
    /** The last second that a report can tell: what is later is as good as never. */
    private static final long LATEST_SECOND = Bound.Moment.END.getEpochSecond() - 1;

    /** Returns a number; {@code otherwise} when it is absent, unset or infinite. */
    long number(String field, long otherwise) {
        JsonNode value = node.path(field);
        if (value.isObject()) {
            if (!value.path("set").asBoolean(false) || value.path("infinite").asBoolean(false)) {
                return otherwise;
            }
            value = value.path("number");
        }
        return value.isNumber() ? value.asLong() : otherwise;
    }

    /** Returns a number as an int, the nearest there is; {@code otherwise} when it is absent, unset or infinite. */
    int whole(String field, int otherwise) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number(field, otherwise)));
    }

    /** Says whether a number is infinite: marked so, or, with version 38, told as null. A number that is absent is not. */
    boolean isInfinite(String field) {
        JsonNode value = node.path(field);
        return value.isNull() || value.path("infinite").asBoolean(false);
    }

    /** Returns a text; null when it is absent or empty. */
    @Nullable
    String text(String field) {
        JsonNode value = node.path(field);
        return value.isTextual() && !value.asText().isEmpty() ? value.asText() : null;
    }

    /** Returns a moment given in seconds, of the year 2099 at the latest; null when it is absent or 0. */
    @Nullable
    Instant instant(String field) {
        long seconds = number(field, 0);
        return seconds <= 0 ? null : Instant.ofEpochSecond(Math.min(seconds, LATEST_SECOND));
    }

    /** Returns words in upper case, of one text or of a list. */
    List<String> words(String field) {
        JsonNode value = node.path(field);
        List<String> words = new ArrayList<>();
        if (value.isTextual()) {
            StringTokenizer tokens = new StringTokenizer(value.asText(), "+, ");
            while (tokens.hasMoreTokens()) {
                words.add(tokens.nextToken().toUpperCase(Locale.ROOT));
            }
        }
        value.elements().forEachRemaining(word -> words.add(word.asText().toUpperCase(Locale.ROOT)));
        return words;
    }

    /** Returns texts, of a list or of one text separated by commas. */
    List<String> list(String field) {
        JsonNode value = node.path(field);
        List<String> texts = new ArrayList<>();
        if (value.isTextual()) {
            StringTokenizer tokens = new StringTokenizer(value.asText(), ",");
            while (tokens.hasMoreTokens()) {
                texts.add(tokens.nextToken());
            }
        }
        value.elements().forEachRemaining(text -> texts.add(text.asText()));
        return texts;
    }
}
