package io.weir.scheduler.core.policy.language;

import java.util.HexFormat;
import java.util.Optional;

/**
 * A character that no text has, such as NUL: a configuration with one is a file of another kind, or was damaged.
 *
 * @param line its line, from 1
 * @param character the character
 */
public record ControlCharacter(int line, char character) {
    private static final String ALLOWED = "\t\n\r\f";

    /** Returns the first of {@code text}. */
    public static Optional<ControlCharacter> in(String text) {
        int line = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n'))) {
                line++;
            } else if (Character.isISOControl(c) && ALLOWED.indexOf(c) < 0) {
                return Optional.of(new ControlCharacter(line, c));
            }
        }
        return Optional.empty();
    }

    /** Says what it is and what to do. */
    public String message() {
        return "has the control character U+" + HexFormat.of().withUpperCase().toHexDigits(character)
                + "; give the configuration as text";
    }
}
