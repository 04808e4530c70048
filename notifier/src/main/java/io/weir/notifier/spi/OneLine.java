package io.weir.notifier.spi;

import java.nio.charset.StandardCharsets;

/** Makes what somebody else wrote fit for one line: of a header, a log, an argument. Pure. */
public final class OneLine {

    private OneLine() {}

    /** Returns {@code text} with a blank for each run of control characters and line ends, Unicode's included. */
    public static String of(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]+", " ")
                .strip();
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
