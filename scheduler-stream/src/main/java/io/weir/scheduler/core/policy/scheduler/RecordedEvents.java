package io.weir.scheduler.core.policy.scheduler;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * RECORDEVENTLIST. Immutable.
 *
 * @param others whether events are recorded that {@code named} does not name
 * @param named events that are recorded if {@code others} are not, and not if they are
 */
public record RecordedEvents(boolean others, SortedSet<String> named) {
    /** Every event is recorded. */
    public static final RecordedEvents ALL = new RecordedEvents(true, Collections.emptySortedSet());

    private static final String EVERY = "ALL";

    public RecordedEvents {
        named = Collections.unmodifiableSortedSet(new TreeSet<>(named));
    }

    /** Reads {@code words}: names and ALL say where to begin, {@code +name} and {@code -name} change that, in order. */
    public static RecordedEvents of(List<String> words) {
        boolean begins = words.stream().anyMatch(word -> !word.startsWith("+") && !word.startsWith("-"));
        boolean others = !begins || words.contains(EVERY);
        SortedSet<String> named = new TreeSet<>();
        for (String word : words) {
            boolean less = word.startsWith("-");
            String name = less || word.startsWith("+") ? word.substring(1) : word;
            if (name.equals(EVERY)) {
                continue;
            }
            if (less == others) {
                named.add(name);
            } else {
                named.remove(name);
            }
        }
        return new RecordedEvents(others, named);
    }

    /** Returns whether {@code event} is recorded. */
    public boolean holds(String event) {
        return named.contains(event) != others;
    }
}
