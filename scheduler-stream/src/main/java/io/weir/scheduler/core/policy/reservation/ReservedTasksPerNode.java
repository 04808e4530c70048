package io.weir.scheduler.core.policy.reservation;

/**
 * How many tasks of a reservation lie on each of its nodes. What is left over of an exact number that does not divide the
 * tasks goes to one node.
 *
 * @param number how many, at least 1; 0 for any number
 * @param atLeast whether it may be more
 */
public record ReservedTasksPerNode(int number, boolean atLeast) {
    /** As many as fit. */
    public static final ReservedTasksPerNode ANY = new ReservedTasksPerNode(0, false);

    /** Returns how many tasks a node takes that has room for {@code room}; 0 when it has too little. */
    public int usable(int room) {
        return room < number ? 0 : number == 0 || atLeast ? room : number;
    }

    /**
     * Returns how many of {@code missing} tasks go to a node, so that those left still fill another one.
     *
     * @param usable how many the node can take in all
     * @param had how many it has taken already
     */
    public int taken(int usable, int had, int missing) {
        int taken = Math.max(0, Math.min(usable - had, missing));
        int left = missing - taken;
        if (taken == 0 || !atLeast || left == 0 || left >= number) {
            return taken;
        }
        int fewer = missing - number;
        return had + fewer >= number ? Math.max(0, fewer) : 0;
    }
}
