package io.weir.nonstop.client;

import java.util.Locale;
import java.util.Optional;

/**
 * One line of {@code nonstop.conf}, written as the scheduler takes it: {@code Key=Value} or {@code Key Value}, blanks around
 * either, quotes around the value or part of it, a comment from {@code #} at the beginning of a word on.
 *
 * @param key the key in lower case
 * @param value the value without quotes; words are separated by one blank
 */
record ServiceSetting(String key, String value) {
    /** Reads a line; empty when it holds no setting. */
    static Optional<ServiceSetting> read(String line) {
        String text = words(line.startsWith("\uFEFF") ? line.substring(1) : line);
        int end = 0;
        while (end < text.length() && text.charAt(end) != '=' && text.charAt(end) != ' ') {
            end++;
        }
        String key = text.substring(0, end).toLowerCase(Locale.ROOT);
        String rest = text.substring(end).strip();
        String value = rest.startsWith("=") ? rest.substring(1).strip() : rest;
        return key.isEmpty() ? Optional.empty() : Optional.of(new ServiceSetting(key, value));
    }

    /** Returns the words of a line without quotes and comment, with one blank between them. */
    private static String words(String line) {
        StringBuilder text = new StringBuilder();
        char quote = 0;
        boolean inWord = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    text.append(c);
                }
            } else if (Character.isWhitespace(c)) {
                text.append(inWord ? " " : "");
                inWord = false;
            } else if (c == '#' && !inWord) {
                break;
            } else {
                inWord = true;
                if (c == '"' || c == '\'') {
                    quote = c;
                } else {
                    text.append(c);
                }
            }
        }
        return text.toString().strip();
    }
}
