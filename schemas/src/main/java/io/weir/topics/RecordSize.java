package io.weir.topics;

import io.weir.topics.Topic.Role;
import java.util.List;

/**
 * How large records may be, in bytes. A record with a list of nodes has room for every node of a cluster; what else it
 * says, and every other record, is bounded where it is taken in.
 */
public final class RecordSize {
    /** An ordinary record. */
    private static final int ORDINARY = 1 << 20;

    /** A record that repeats, or wraps, an ordinary one. */
    private static final int WRAPPING = 2 * ORDINARY;

    /** A record with lists of nodes. */
    private static final int LISTING = 10 * ORDINARY;

    /** What the journal, or a store, adds to a record. */
    private static final int JOURNALLING = 1 << 16;

    /** The largest record of a store, and of the journal. */
    public static final int LARGEST = LISTING + JOURNALLING;

    /** What is read off a heartbeat is little. */
    private static final int HEARTBEAT = 1 << 16;

    private static final List<Topic<?>> LISTS = List.of(
            Topics.RM_JOBS,
            Topics.COMMANDS,
            Topics.DECISIONS,
            Topics.JOBS,
            Topics.RESERVATIONS,
            Topics.PLUGIN_QUESTIONS,
            Topics.PLUGIN_ANSWERS);

    private RecordSize() {}

    /** Returns the size of the largest record that {@code topic} takes; producers need as much in max.request.size. */
    public static int most(Topic<?> topic) {
        if (topic.role() == Role.JOURNAL) {
            return LARGEST;
        }
        if (LISTS.contains(topic)) {
            return LISTING;
        }
        boolean wraps = topic.role() == Role.DEAD_LETTER || topic.equals(Topics.NODES) || topic.equals(Topics.POLICY);
        return wraps ? WRAPPING : ORDINARY;
    }

    /** Returns how many bytes key, value and headers of a record of {@code topic} may have for the scheduler to take it. */
    public static int mostInput(Topic<?> topic) {
        return topic.equals(Topics.RM_HEARTBEATS) ? HEARTBEAT : most(topic);
    }
}
