package io.weir.notifier.spi;

import java.nio.charset.StandardCharsets;

/** Makes what somebody else wrote fit for one line: of a header, a log, an argument. Pure. */
public final class OneLine {

    /** Control characters of all kinds, separators of lines and paragraphs, and what changes the direction of writing. */
    private static final String CONTROLS =
            "\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f";

    private OneLine() {}

    /** Returns {@code text} with a blank for each run of control characters, line ends and changes of direction. */
    public static String of(String text) {
        return text.replaceAll("[" + CONTROLS + "\\n\\t]+", " ").strip();
    }

    /** Returns {@code text} with its line breaks and tabs, and a blank for each run of other such characters. */
    public static String each(String text) {
        return text.replaceAll("[" + CONTROLS + "&&[^\\n\\t]]+", " ");
    }

    /** Returns the beginning of {@code text} that fits into {@code bytes} of UTF-8; no character is cut in two. */
    public static String cut(String text, int bytes) {
        if (text.length() <= bytes / 3) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length <= bytes) {
            return text;
        }
        int end = bytes;
        while (end > 0 && (encoded[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(encoded, 0, end, StandardCharsets.UTF_8);
    }
}
