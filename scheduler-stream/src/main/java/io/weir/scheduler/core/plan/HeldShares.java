package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.placement.TaskShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shares of one job that are held so far, in order, and by node. */
final class HeldShares {
    private final List<TaskShare> all = new ArrayList<>();

    /** By position, as far as it was asked for; never iterated. */
    private final Map<Integer, List<TaskShare>> byPosition = new LinkedHashMap<>();

    /** How many of all are found by position. */
    private int indexed;

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns all shares in the order in which they were added; not to be written. */
    List<TaskShare> all() {
        return all;
    }

    /** Returns the shares on the node at {@code position}; not to be written. */
    List<TaskShare> at(int position) {
        for (; indexed < all.size(); indexed++) {
            TaskShare share = all.get(indexed);
            byPosition
                    .computeIfAbsent(share.position(), there -> new ArrayList<>(1))
                    .add(share);
        }
        return byPosition.getOrDefault(position, List.of());
    }

    void add(TaskShare share) {
        all.add(share);
    }

    /** Removes the share that was added last, and returns it. */
    TaskShare removeLast() {
        TaskShare last = all.remove(all.size() - 1);
        List<TaskShare> there = byPosition.get(last.position());
        if (indexed > all.size() && there != null) {
            there.remove(there.size() - 1);
            indexed = all.size();
        }
        return last;
    }
}
