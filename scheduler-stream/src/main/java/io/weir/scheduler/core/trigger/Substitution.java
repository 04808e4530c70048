package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.trigger.action.VariableNames;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
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
    private static final String SETTING_SAFE = URL_SAFE + "@%/:+,";
    private static final List<String> OPERATORS = List.of("=", "+=", "-=");

    /** Where an expanded text goes. */
    public enum Place {
        /** A text of several lines. */
        TEXT,
        /** One line, such as a subject or a header: line ends become blanks. */
        LINE,
        /** One argument of a program, in one line: a value in front makes no option of it, a blank goes before its dash. */
        ARGUMENT,
        /** The new value of an attribute, in one line: a value in front is no operator, a blank goes before it. */
        VALUE,
        /** A line of the configuration: what could end a value, or begin something else behind it, becomes {@code _}. */
        SETTING,
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
        String bounded = expanded.length() <= MOST ? expanded.toString() : expanded.substring(0, whole(expanded));
        return beginsWithSign(bounded, place) && !beginsWithSign(text, place) ? " " + bounded : bounded;
    }

    /** Returns the names in {@code text} that are not known, sorted. */
    public SortedSet<String> unknown(String text) {
        SortedSet<String> unknown = VariableNames.in(text);
        unknown.removeAll(values.keySet());
        return unknown;
    }

    /** Returns whether {@code text} begins with what is an option or an operator where it goes. */
    private static boolean beginsWithSign(String text, Place place) {
        return switch (place) {
            case ARGUMENT -> text.startsWith("-");
            case VALUE -> OPERATORS.stream().anyMatch(text::startsWith);
            case TEXT, LINE, SETTING, ADDRESS, JSON -> false;
        };
    }

    /** A pair of surrogates is not cut apart. */
    private static int whole(StringBuilder text) {
        return Character.isHighSurrogate(text.charAt(MOST - 1)) ? MOST - 1 : MOST;
    }

    /** Puts in the variable that begins at {@code at}; returns where the text goes on. */
    private int variable(String text, int at, Place place, StringBuilder expanded) {
        String name = VariableNames.at(text, at);
        String value = name.isEmpty() ? null : values.get(name);
        if (value == null) {
            expanded.append('$');
            return at + 1;
        }
        expanded.append(harmless(value, place));
        return at + 1 + name.length() + (text.charAt(at + 1) == '{' ? 2 : 0);
    }

    private static String harmless(String value, Place place) {
        return switch (place) {
            case TEXT -> mapped(value, true);
            case LINE, ARGUMENT, VALUE -> mapped(value, false);
            case SETTING -> safe(value);
            case ADDRESS -> encoded(value);
            case JSON ->
                mapped(value, true).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        };
    }

    private static String safe(String value) {
        StringBuilder safe = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            safe.append(SETTING_SAFE.indexOf(c) >= 0 || Character.isLetterOrDigit(c) ? c : '_');
        }
        return safe.toString();
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
