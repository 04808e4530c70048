package io.weir.scheduler.core.nodeset;

/**
 * What one set could hold of a requirement at an instant.
 *
 * @param name value that forms the set; the values joined for the union of ANYOF
 * @param tasks tasks its nodes hold
 * @param nodes nodes that hold a task
 * @param shortfall what it lacks
 */
public record SetCapacity(String name, long tasks, int nodes, Shortfall shortfall) {
    /** Why a set is not usable. */
    public enum Shortfall {
        /** It is usable. */
        NONE,
        /** None of its nodes could hold a task. */
        EMPTY,
        /** Its nodes hold too few tasks. */
        TASKS,
        /** Too few of its nodes hold a task. */
        NODES,
        /** Its nodes hold the tasks, but not in the way the job wants them to lie. */
        SHAPE
    }

    /** Returns whether the requirement could run inside it. */
    public boolean usable() {
        return shortfall == Shortfall.NONE;
    }

    /** Returns a text about the set for a job of {@code wanted} tasks. */
    String text(int wanted) {
        return switch (shortfall) {
            case NONE -> name + " holds " + tasks + " tasks on " + nodes + " nodes";
            case EMPTY -> name + " has no node for a task";
            case TASKS -> name + " holds only " + tasks + " of " + wanted + " tasks";
            case NODES -> name + " holds " + tasks + " tasks, but on only " + nodes + " nodes";
            case SHAPE -> name + " holds " + tasks + " tasks, but not as they have to lie";
        };
    }
}
