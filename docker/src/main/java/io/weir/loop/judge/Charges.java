package io.weir.loop.judge;

import java.util.ArrayList;
import java.util.List;

/** What judges found wrong, in the order found. After many the rest is not written down. */
public final class Charges {
    private static final int MOST = 20;

    private final List<String> list = new ArrayList<>();

    /** Notes that something is wrong. */
    public void add(String invariant, String what) {
        if (list.size() < MOST) {
            list.add(invariant + ": " + what);
        }
    }

    /** Says whether nothing is wrong so far. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Returns what is wrong. */
    public List<String> list() {
        return List.copyOf(list);
    }
}
