package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What jobs that wait are to hold of which node, and when, for those that share a node by who else will be there. */
public final class PlannedShares {
    private final NodeTable nodes;

    /** By position of a node; never iterated. */
    private final Map<Integer, List<PlannedShare>> shares = new LinkedHashMap<>();

    public PlannedShares(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Forgets all shares. */
    public void clear() {
        shares.clear();
    }

    /**
     * Adds what {@code tasks} are of {@code job}, at most one slot of which is known at a time.
     *
     * @param from first second, epoch seconds
     * @param to end, exclusive, epoch seconds
     */
    public void take(Job job, Iterable<TaskShare> tasks, long from, long to) {
        List<Requirement> requirements = job.request().requirements();
        SortedMap<Integer, Capacity> held = new TreeMap<>();
        for (TaskShare share : tasks) {
            Capacity more = requirements.get(share.requirement()).resources().amountsOf(share.tasks());
            held.merge(share.position(), more, Capacity::plus);
        }
        held.forEach((position, amounts) ->
                shares.computeIfAbsent(position, p -> new ArrayList<>()).add(new PlannedShare(job, amounts, from, to)));
    }

    /** Removes what {@code job} was to hold of the nodes of {@code tasks}. */
    public void giveBack(Job job, Iterable<TaskShare> tasks) {
        for (TaskShare share : tasks) {
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
    public List<PlannedShare> beside(Job job, int position, long from, long to) {
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
