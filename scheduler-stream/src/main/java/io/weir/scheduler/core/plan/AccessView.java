package io.weir.scheduler.core.plan;

/**
 * How jobs with one and the same access to the reservations that are no job's see the nodes: by which timelines. Of a node
 * of which nothing is kept from them that is its own, of any other a copy less what is kept.
 */
final class AccessView {
    /** By position of a node, or of the leader of a bucket, the number of its timeline. */
    private final int[] lines;

    /** Creates a view that shows {@code nodes} nodes as they are. */
    AccessView(int nodes) {
        lines = new int[nodes];
        for (int position = 0; position < nodes; position++) {
            lines[position] = position;
        }
    }

    private AccessView(int[] lines) {
        this.lines = lines;
    }

    /** Returns a view that shows every node as this one does. */
    AccessView copy() {
        return new AccessView(lines.clone());
    }

    /** Returns the number of the timeline that counts for the node, or the bucket led by it, at {@code position}. */
    int line(int position) {
        return lines[position];
    }

    /** Returns the same by position; not to be written. */
    int[] lines() {
        return lines;
    }

    /** Shows the node at {@code position} by the timeline of that number. */
    void show(int position, int line) {
        lines[position] = line;
    }

    /** Shows the node at {@code position} as {@code other} does. */
    void showAs(AccessView other, int position) {
        lines[position] = other.lines[position];
    }
}
