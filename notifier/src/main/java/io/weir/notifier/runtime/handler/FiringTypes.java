package io.weir.notifier.runtime.handler;

import java.util.Set;

/**
 * The firings that one reader answers: those of one action type, or of one lane of it. Every type that there is has readers
 * and so positions of its own, whether it is enabled or not: what was refused yesterday is not carried out when it is enabled
 * today. All firings of one trigger for one object are in one lane, and so in order. Immutable.
 *
 * @param known every type that has a reader of its own
 * @param type the one type of this reader; empty for all that are not known
 * @param lane number of the lane, from 0 on
 * @param lanes how many lanes the type has; never changed, as the position of a lane counts for the firings in it alone
 */
public record FiringTypes(Set<String> known, String type, int lane, int lanes) {

    public FiringTypes {
        known = Set.copyOf(known);
        if (lane < 0 || lane >= lanes) {
            throw new IllegalArgumentException("lane " + lane + " of " + lanes);
        }
    }

    /** Returns the firings of a type that has one lane. */
    public FiringTypes(Set<String> known, String type) {
        this(known, type, 0, 1);
    }

    boolean includes(String actionType, String triggerId) {
        return isOfType(actionType) && isInLane(triggerId);
    }

    private boolean isOfType(String actionType) {
        return type.isEmpty() ? !known.contains(actionType) : type.equals(actionType);
    }

    /** Whether firings of {@code triggerId}, which names trigger and object, are in this lane. */
    public boolean isInLane(String triggerId) {
        return Math.floorMod(triggerId.hashCode(), lanes) == lane;
    }

    /** Whether this reader is the one that reports records which cannot be answered. */
    boolean reportsUnusable() {
        return type.isEmpty();
    }

    /** Name of the type's readers together, by which answers and metrics call them. */
    public String channel() {
        return "action." + (type.isEmpty() ? "other" : type);
    }

    /** Name of the reader. */
    public String reader() {
        return lane == 0 ? channel() : channel() + "." + (lane + 1);
    }
}
