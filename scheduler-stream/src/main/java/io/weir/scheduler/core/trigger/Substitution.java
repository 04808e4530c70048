package io.weir.scheduler.core.trigger;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Puts the values of variables into texts: {@code $NAME}, {@code ${NAME}}, and {@code \$} for the sign itself. A name
 * that is not known stays as written. What is put in is never looked at again, so that a value cannot name another one,
 * and is made harmless for the place it goes to. Immutable.
 *
 * @param values values by name
 */
public record Substitution(SortedMap<String, String> values) {
    /** Characters of an expanded text; what comes behind is cut. */
    public static final int MOST = 4_096;

    private static final String URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** Where an expanded text goes. */
    public enum Place {
        /** A text of several lines. */
        TEXT,
        /** One line, such as a subject, a header or an argument: line ends become blanks. */
        LINE,
        /** An address: what is put in is percent-encoded. */
        ADDRESS,
        /** A text in JSON: what is put in is escaped as a part of a string. */
        JSON
    }

    public Substitution {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** Returns {@code text} with values put in. */
    public String expand(String text, Place place) {
        StringBuilder expanded = new StringBuilder();
        int i = 0;
        while (i < text.length() && expanded.length() < MOST) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '$') {
                expanded.append('$');
                i += 2;
            } else if (c == '$') {
                i = variable(text, i, place, expanded);
            } else {
                expanded.append(place == Place.TEXT || place == Place.JSON ? c : inLine(c));
                i++;
            }
        }
        return expanded.length() <= MOST ? expanded.toString() : expanded.substring(0, whole(expanded));
    }

    /** A pair of surrogates is not cut apart. */
    private static int whole(StringBuilder text) {
        return Character.isHighSurrogate(text.charAt(MOST - 1)) ? MOST - 1 : MOST;
    }

    /** Puts in the variable that begins at {@code at}; returns where the text goes on. */
    private int variable(String text, int at, Place place, StringBuilder expanded) {
        boolean braced = at + 1 < text.length() && text.charAt(at + 1) == '{';
        int begin = at + (braced ? 2 : 1);
        int end = begin;
        while (end < text.length() && isPart(text.charAt(end))) {
            end++;
        }
        boolean closed = !braced || (end < text.length() && text.charAt(end) == '}');
        String value = end > begin && closed ? values.get(text.substring(begin, end)) : null;
        if (value == null) {
            expanded.append('$');
            return at + 1;
        }
        expanded.append(harmless(value, place));
        return braced ? end + 1 : end;
    }

    private static boolean isPart(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }

    private static String harmless(String value, Place place) {
        return switch (place) {
            case TEXT -> mapped(value, true);
            case LINE -> mapped(value, false);
            case ADDRESS -> encoded(value);
            case JSON ->
                mapped(value, true).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        };
    }

    private static String mapped(String value, boolean lines) {
        StringBuilder mapped = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            mapped.append(lines && c == '\n' ? c : inLine(c));
        }
        return mapped.toString();
    }

    /** Control characters, and what Unicode counts as line ends, become blanks. */
    private static char inLine(char c) {
        return c < ' ' || (c >= '\u007f' && c <= '\u009f') || c == '\u2028' || c == '\u2029' ? ' ' : c;
    }

    private static String encoded(String value) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (URL_SAFE.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return encoded.toString();
    }

    private static char hex(int digit) {
        return (char) (digit < 10 ? '0' + digit : 'A' + digit - 10);
    }
}
