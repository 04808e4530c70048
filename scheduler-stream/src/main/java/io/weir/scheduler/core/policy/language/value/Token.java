package io.weir.scheduler.core.policy.language.value;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A word of a configuration line: what stands between blanks, quotes removed. It remembers which characters were quoted,
 * so that a comma within quotes does not end a list item. Immutable.
 */
public final class Token {
    private final String text;
    private final String raw;
    private final BitSet quoted;

    /** Creates a word; {@code quoted} holds the positions in {@code text} that stood within quotes. */
    public Token(String text, String raw, BitSet quoted) {
        this.text = text;
        this.raw = raw;
        this.quoted = quoted;
    }

    /** Returns a word without quotes. */
    public static Token of(String text) {
        return new Token(text, text, new BitSet());
    }

    /** Returns the word without its quotes. */
    public String text() {
        return text;
    }

    /** Returns the word as written, quotes included. */
    public String raw() {
        return raw;
    }

    /** Returns the position of the first {@code c} outside quotes; -1 for none. */
    public int indexOf(char c) {
        int at = text.indexOf(c);
        while (at >= 0 && quoted.get(at)) {
            at = text.indexOf(c, at + 1);
        }
        return at;
    }

    /** Returns what comes after position {@code from}, which has to lie before any quote. */
    public Token after(int from) {
        return new Token(text.substring(from), raw.substring(from), quoted.get(from, Math.max(from, text.length())));
    }

    /** Splits at unquoted characters out of {@code separators}; empty parts are left out. */
    public List<Token> split(String separators) {
        List<Token> parts = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || (separators.indexOf(text.charAt(i)) >= 0 && !quoted.get(i))) {
                if (i > begin) {
                    String part = text.substring(begin, i);
                    parts.add(new Token(part, part, quoted.get(begin, i)));
                }
                begin = i + 1;
            }
        }
        return parts;
    }

    @Override
    public String toString() {
        return text;
    }
}
