package io.weir.scheduler.core.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes have messages that expire, in the order in which the first of each does. It follows the versions of nodes that
 * the {@link NodeTable} puts in force, so that no question costs a scan. Owned by the core's thread.
 */
final class MessageDeadlines {
    /**
     * When the first message of a node expires.
     *
     * @param at epoch seconds
     * @param nodeId the node
     */
    private record Deadline(long at, String nodeId) {}

    private final SortedSet<Deadline> deadlines =
            new TreeSet<>(Comparator.comparingLong(Deadline::at).thenComparing(Deadline::nodeId));

    /** A version of a node takes the place of another; null stands for no version. */
    void follow(@Nullable Node before, @Nullable Node next) {
        long old = before == null ? NodeMessage.NEVER : before.nextExpiry();
        long due = next == null ? NodeMessage.NEVER : next.nextExpiry();
        if (old == due) {
            return;
        }
        if (before != null && old != NodeMessage.NEVER) {
            deadlines.remove(new Deadline(old, before.id()));
        }
        if (next != null && due != NodeMessage.NEVER) {
            deadlines.add(new Deadline(due, next.id()));
        }
    }

    /** Returns when the next message expires, epoch seconds; {@link NodeMessage#NEVER} for none. */
    long next() {
        return deadlines.isEmpty() ? NodeMessage.NEVER : deadlines.first().at();
    }

    /**
     * Returns nodes with a message that is gone at {@code now}, those whose first went earliest first, then by id.
     *
     * @param most returns no more than so many
     */
    List<String> due(long now, int most) {
        if (next() > now) {
            return List.of();
        }
        List<String> ids = new ArrayList<>();
        for (Deadline deadline : deadlines) {
            if (deadline.at() > now || ids.size() >= most) {
                break;
            }
            ids.add(deadline.nodeId());
        }
        return ids;
    }
}
