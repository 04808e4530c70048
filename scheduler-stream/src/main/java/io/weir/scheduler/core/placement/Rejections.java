package io.weir.scheduler.core.placement;

import java.util.EnumMap;
import java.util.StringJoiner;

/** Counts the nodes that were looked at for a job and, by reason, those that could not take a task of it. */
public final class Rejections {
    private final EnumMap<RejectionReason, Integer> counts = new EnumMap<>(RejectionReason.class);
    private int considered;

    /** Takes over the counts of {@code other}. */
    public void copy(Rejections other) {
        counts.clear();
        counts.putAll(other.counts);
        considered = other.considered;
    }

    /** Says that {@code nodes} were looked at. */
    public void consider(int nodes) {
        considered += nodes;
    }

    /** Says that {@code nodes} were removed for {@code reason}. */
    public void reject(RejectionReason reason, int nodes) {
        if (nodes > 0) {
            counts.merge(reason, nodes, Integer::sum);
        }
    }

    /** Returns how many nodes were looked at. */
    public int considered() {
        return considered;
    }

    /** Returns how many nodes were removed for {@code reason}. */
    public int count(RejectionReason reason) {
        return counts.isEmpty() ? 0 : counts.getOrDefault(reason, 0);
    }

    /** Returns how many nodes were left. */
    public int left() {
        int left = considered;
        for (int count : counts.values()) {
            left -= count;
        }
        return left;
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", considered + " nodes: ", "");
        for (RejectionReason reason : RejectionReason.values()) {
            if (count(reason) > 0) {
                text.add(reason.label() + " " + count(reason));
            }
        }
        return text.add(left() + " left").toString();
    }
}
