package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.placement.NodeAccess;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one job takes of the nodes on which its tasks are placed: a share of each, or all of it where it shares none. */
final class TakenNodes {
    private final NodeTable nodes;
    private final Job job;

    /** Who else may use the nodes, wherever they are; null where each node says. */
    private final @Nullable NodeAccessPolicy anywhere;

    TakenNodes(NodeTable nodes, Job job, SitePolicy policy) {
        this.nodes = nodes;
        this.job = job;
        this.anywhere = NodeAccess.anywhere(policy, job);
    }

    /** Returns the nodes that {@code shares} are, with the processors taken of each. */
    Allocation of(List<TaskShare> shares) {
        List<TaskPlacement> placements = new ArrayList<>(shares.size());
        for (TaskShare share : shares) {
            placements.add(new TaskPlacement(node(share).id(), share.requirement(), share.tasks()));
        }
        List<NodeAllocation> taken = ordered(shares, 1)
                ? listed(shares, false)
                : ordered(shares, -1) ? listed(shares, true) : merged(shares);
        return new Allocation(taken, placements);
    }

    private List<NodeAllocation> listed(List<TaskShare> shares, boolean backwards) {
        int size = shares.size();
        List<NodeAllocation> taken = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            TaskShare share = shares.get(backwards ? size - 1 - i : i);
            taken.add(new NodeAllocation(node(share).id(), node(share).dedicated(procs(share))));
        }
        return taken;
    }

    private List<NodeAllocation> merged(List<TaskShare> shares) {
        SortedMap<Integer, Integer> procs = new TreeMap<>();
        for (TaskShare share : shares) {
            boolean all = takesAll(share);
            procs.merge(share.position(), procs(share), (sum, more) -> all ? sum : sum + more);
        }
        procs.replaceAll((position, sum) -> nodes.at(position).dedicated(sum));
        List<NodeAllocation> taken = new ArrayList<>(procs.size());
        procs.forEach((position, count) ->
                taken.add(new NodeAllocation(nodes.at(position).id(), count)));
        return taken;
    }

    /** Says whether each share is on a node behind that of the share before, or ahead of it where {@code direction} is -1. */
    private static boolean ordered(List<TaskShare> shares, int direction) {
        for (int i = 1; i < shares.size(); i++) {
            if (Integer.compare(shares.get(i).position(), shares.get(i - 1).position()) != direction) {
                return false;
            }
        }
        return true;
    }

    private int procs(TaskShare share) {
        if (takesAll(share)) {
            return node(share).configured().procs();
        }
        return job.request().requirements().get(share.requirement()).resources().procsOf(share.tasks());
    }

    private boolean takesAll(TaskShare share) {
        return NodeAccess.exclusive(anywhere != null ? anywhere : node(share).access());
    }

    private EffectiveNode node(TaskShare share) {
        return nodes.at(share.position());
    }
}
