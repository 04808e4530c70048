package io.weir.command.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Numbers as text. */
public final class NumberText {
    private NumberText() {}

    /** Returns a share in percent with two digits; 0 % of nothing. */
    public static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0.0 : 100.0 * part / whole);
    }

    /** Returns a number with as many digits as it needs, at most two after the point. */
    public static String number(JsonNode value) {
        double number = value.asDouble();
        String text = String.format(Locale.ROOT, "%.2f", number);
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? String.format(Locale.ROOT, "%.0f", number)
                : text;
    }
}
