package io.weir.rm.nativerm.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A value as written in a line, quotes and backslashes taken off. It remembers which characters had a backslash before
 * them: those never separate. Immutable once built.
 */
final class Value {
    private final String text;
    private final BitSet escaped;

    private Value(String text, BitSet escaped) {
        this.text = text;
        this.escaped = escaped;
    }

    /** Returns a value in which nothing was escaped. */
    static Value plain(String text) {
        return new Value(text, new BitSet());
    }

    String text() {
        return text;
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /** Returns the position of the first {@code separator} that is not escaped; -1 when there is none. */
    int indexOf(char separator) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == separator && !escaped.get(i)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the part from {@code from} up to before {@code to}. */
    Value part(int from, int to) {
        return new Value(text.substring(from, to), escaped.get(from, to));
    }

    /** Returns the parts between unescaped characters of {@code separators}, empty ones included. */
    List<Value> split(String separators) {
        List<Value> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (separators.indexOf(text.charAt(i)) >= 0 && !escaped.get(i)) {
                parts.add(part(from, i));
                from = i + 1;
            }
        }
        parts.add(part(from, text.length()));
        return parts;
    }

    @Override
    public String toString() {
        return text;
    }

    /** Collects the characters of a value. */
    static final class Builder {
        private final StringBuilder text = new StringBuilder();
        private final BitSet escaped = new BitSet();

        void add(char c) {
            text.append(c);
        }

        void addEscaped(char c) {
            escaped.set(text.length());
            text.append(c);
        }

        /** Says whether a quote at this place opens a quoted part, rather than being an apostrophe in a word. */
        boolean mayOpenQuote() {
            return text.length() == 0 || "=:,".indexOf(text.charAt(text.length() - 1)) >= 0;
        }

        Value build() {
            return new Value(text.toString(), escaped);
        }
    }
}
