package io.weir.command.terminal;

import java.util.regex.Pattern;

/** Text of others, made safe to print: it steers no terminal, and does not look like other text than it is. */
public final class PrintableText {
    private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069]");
    private static final Pattern STEERING_WITHIN_LINES =
            Pattern.compile("[\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069&&[^\\n\\t]]");

    private PrintableText() {}

    /** Returns {@code text} in one line, with a question mark for each character that steers a terminal. */
    public static String line(String text) {
        return STEERING.matcher(text).replaceAll("?");
    }

    /** Returns {@code text} with its lines and tabs kept, cut where it is longer than {@code most} characters. */
    public static String lines(String text, int most) {
        String printable = STEERING_WITHIN_LINES.matcher(text).replaceAll("?");
        return printable.length() <= most ? printable : printable.substring(0, most) + "...";
    }
}
