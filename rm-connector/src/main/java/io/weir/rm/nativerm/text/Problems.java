package io.weir.rm.nativerm.text;

import java.util.ArrayList;
import java.util.List;

/** Counts problems and keeps the first of them. One thread. */
public final class Problems {
    private static final int KEPT = 100;

    private final List<Problem> first = new ArrayList<>();
    private long count;

    /** Adds a problem. */
    public void add(String source, int line, String text) {
        count++;
        if (first.size() < KEPT) {
            first.add(new Problem(source, line, text));
        }
    }

    /** Returns how many there were. */
    public long count() {
        return count;
    }

    /** Returns the first hundred of them, in the order of the text. */
    public List<Problem> first() {
        return List.copyOf(first);
    }
}
