package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whose slots a plan holds on which node, for jobs that share a node by who else will be there. To be kept only where that
 * matters.
 */
final class PlannedShares {
    private final NodeTable nodes;

    /** By position of a node; never iterated. */
    private final Map<Integer, List<PlannedShare>> shares = new LinkedHashMap<>();

    PlannedShares(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Forgets all slots. */
    void clear() {
        shares.clear();
    }

    /** Adds the shares of {@code slot}. */
    void take(Slot slot) {
        Job job = slot.job();
        if (job == null) {
            return;
        }
        List<Requirement> requirements = job.request().requirements();
        SortedMap<Integer, Capacity> held = new TreeMap<>();
        for (TaskShare share : slot.shares()) {
            Capacity more = requirements.get(share.requirement()).resources().amountsOf(share.tasks());
            held.merge(share.position(), more, Capacity::plus);
        }
        held.forEach((position, amounts) -> shares.computeIfAbsent(position, p -> new ArrayList<>())
                .add(new PlannedShare(job, amounts, slot.start(), slot.end())));
    }

    /** Removes the shares of {@code slot}. */
    void giveBack(Slot slot) {
        Job job = slot.job();
        if (job == null) {
            return;
        }
        for (TaskShare share : slot.shares()) {
            List<PlannedShare> there = shares.get(share.position());
            if (there != null) {
                there.removeIf(planned -> planned.job().id().equals(job.id()));
            }
        }
    }

    /**
     * Returns what others than {@code job} are to hold of the node at {@code position} at some time of [from, to), epoch
     * seconds; jobs that hold something there already are left out.
     */
    List<PlannedShare> beside(Job job, int position, long from, long to) {
        List<PlannedShare> there = shares.get(position);
        if (there == null) {
            return List.of();
        }
        Map<String, NodeShare> present = nodes.sharesAt(position);
        List<PlannedShare> found = new ArrayList<>();
        for (PlannedShare planned : there) {
            String id = planned.job().id();
            if (planned.from() < to && planned.to() > from && !id.equals(job.id()) && !present.containsKey(id)) {
                found.add(planned);
            }
        }
        return found;
    }
}
