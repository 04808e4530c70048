package io.weir.scheduler.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A field whose recorded value is not the expected one.
 *
 * @param field its name, with the names of the fields around it
 * @param recorded what the topic holds
 * @param expected what it should hold
 */
public record FieldDifference(String field, String recorded, String expected) {
    private static final int MOST_CHARACTERS = 400;

    /** Compares two records of one schema. */
    static List<FieldDifference> between(IndexedRecord recorded, IndexedRecord expected) {
        List<FieldDifference> found = new ArrayList<>();
        compare("", recorded, expected, found);
        return found;
    }

    /** Compares two values; no difference when they are equal. */
    static List<FieldDifference> of(String field, @Nullable Object recorded, @Nullable Object expected) {
        return Objects.equals(recorded, expected)
                ? List.of()
                : List.of(new FieldDifference(field, text(recorded), text(expected)));
    }

    /** Compares headers, in order. */
    static List<FieldDifference> headers(Headers recorded, Headers expected) {
        return of("headers", text(recorded), text(expected));
    }

    private static void compare(
            String prefix, IndexedRecord recorded, IndexedRecord expected, List<FieldDifference> found) {
        for (Schema.Field field : expected.getSchema().getFields()) {
            compareValues(prefix + field.name(), recorded.get(field.pos()), expected.get(field.pos()), found);
        }
    }

    /** Records in lists are compared field by field, too: Avro itself cannot compare all that they may hold. */
    private static void compareValues(
            String field, @Nullable Object recorded, @Nullable Object expected, List<FieldDifference> found) {
        if (recorded instanceof IndexedRecord left && expected instanceof IndexedRecord right) {
            compare(field + ".", left, right, found);
        } else if (recorded instanceof List<?> left && expected instanceof List<?> right && hold(left, right)) {
            found.addAll(of(field + ".size", left.size(), right.size()));
            for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
                compareValues(field + "[" + i + "]", left.get(i), right.get(i), found);
            }
        } else {
            found.addAll(of(field, recorded, expected));
        }
    }

    private static boolean hold(List<?> left, List<?> right) {
        return (!left.isEmpty() && left.get(0) instanceof IndexedRecord)
                || (!right.isEmpty() && right.get(0) instanceof IndexedRecord);
    }

    private static String text(Headers headers) {
        StringBuilder text = new StringBuilder();
        for (Header header : headers) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(header.key())
                    .append('=')
                    .append(text(header.value()));
        }
        return text.toString();
    }

    /** Returns bytes in words: as text where they are printable, else in hexadecimal. */
    static String text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "null";
        }
        boolean printable = true;
        for (byte each : bytes) {
            printable &= each >= ' ' && each <= '~';
        }
        return printable
                ? new String(bytes, java.nio.charset.StandardCharsets.US_ASCII)
                : "0x" + java.util.HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MOST_CHARACTERS / 2));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return text(bytes);
        }
        String text = value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value);
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
    }

    @Override
    public String toString() {
        return field + ": recorded " + recorded + ", expected " + expected;
    }
}
