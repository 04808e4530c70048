package io.weir.notifier.runtime.handler;

import java.util.Set;

/**
 * The action types that one reader answers. Every type that there is has a reader and so a position of its own, whether it
 * is enabled or not: what was refused yesterday is not carried out when it is enabled today. Immutable.
 *
 * @param known every type that has a reader of its own
 * @param type the one type of this reader; empty for all that are not known
 */
public record FiringTypes(Set<String> known, String type) {

    public FiringTypes {
        known = Set.copyOf(known);
    }

    boolean includes(String actionType) {
        return type.isEmpty() ? !known.contains(actionType) : type.equals(actionType);
    }

    /** Whether this reader is the one that reports records which cannot be answered. */
    boolean reportsUnusable() {
        return type.isEmpty();
    }

    /** Name of the reader. */
    public String reader() {
        return "action." + (type.isEmpty() ? "other" : type);
    }
}
