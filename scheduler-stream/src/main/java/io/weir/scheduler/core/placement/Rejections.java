package io.weir.scheduler.core.placement;

import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Counts the nodes that were looked at for a job and, by reason, those that could not take a task of it; and of those that
 * could, what kept them from taking more.
 */
public final class Rejections {
    private final EnumMap<RejectionReason, Integer> counts = new EnumMap<>(RejectionReason.class);
    private final EnumMap<RejectionReason, Integer> limitsInUse = new EnumMap<>(RejectionReason.class);
    private final EnumMap<RejectionReason, Integer> limitsUnused = new EnumMap<>(RejectionReason.class);
    private int considered;

    /** Takes over the counts of {@code other}. */
    public void copy(Rejections other) {
        counts.clear();
        counts.putAll(other.counts);
        limitsInUse.clear();
        limitsInUse.putAll(other.limitsInUse);
        limitsUnused.clear();
        limitsUnused.putAll(other.limitsUnused);
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

    /**
     * Says that {@code reason} keeps a node that could take tasks from taking more.
     *
     * @param inUse whether jobs are on it
     */
    public void limit(RejectionReason reason, boolean inUse) {
        (inUse ? limitsInUse : limitsUnused).merge(reason, 1, Integer::sum);
    }

    /**
     * Returns the reason that keeps most nodes from taking tasks, or more of them beside the jobs there. Where there is no
     * such node, it is what keeps unused ones from taking more.
     *
     * @param without nodes not to count, by reason; null for none
     */
    public RejectionReason most(@Nullable Rejections without) {
        EnumMap<RejectionReason, Integer> shortOf = new EnumMap<>(limitsInUse);
        counts.forEach((reason, nodes) ->
                shortOf.merge(reason, nodes - (without == null ? 0 : without.count(reason)), Integer::sum));
        RejectionReason most = most(shortOf);
        most = most == null ? most(limitsUnused) : most;
        return most == null ? RejectionReason.CPU : most;
    }

    private static @Nullable RejectionReason most(EnumMap<RejectionReason, Integer> nodes) {
        RejectionReason binding = null;
        int most = 0;
        for (Map.Entry<RejectionReason, Integer> each : nodes.entrySet()) {
            if (each.getValue() > most) {
                most = each.getValue();
                binding = each.getKey();
            }
        }
        return binding;
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
