package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Follows over time what is left of the generic resources that float over the cluster: those of the node
 * {@link EffectiveNode#GLOBAL}, from which a task takes what its own node has none of. Within one plan.
 */
final class GlobalResourcePlan {
    private final JobTable jobs;
    private final NodeTable nodes;

    /** What is left, by index of the resource. */
    private final SortedMap<Integer, AvailabilityProfile> left = new TreeMap<>();

    private final SortedMap<Integer, String> names = new TreeMap<>();

    GlobalResourcePlan(JobTable jobs, NodeTable nodes) {
        this.jobs = jobs;
        this.nodes = nodes;
    }

    /** Starts anew at {@code now} with what running jobs leave. */
    void reset(long now, NodeResources resources) {
        left.clear();
        names.clear();
        EffectiveNode global = nodes.effective(EffectiveNode.GLOBAL);
        if (global == null) {
            return;
        }
        for (Map.Entry<String, Long> gres : global.gres().entrySet()) {
            Integer index = resources.generic(gres.getKey());
            if (index != null) {
                left.put(index, profile(gres.getKey(), gres.getValue(), now));
                names.put(index, gres.getKey());
            }
        }
    }

    private AvailabilityProfile profile(String name, long configured, long now) {
        long held = 0;
        for (Job job : jobs.active()) {
            held += held(job, name);
        }
        AvailabilityProfile profile = new AvailabilityProfile();
        profile.reset(now, configured - held);
        for (Job job : jobs.active()) {
            long amount = held(job, name);
            if (amount > 0) {
                profile.append(Math.max(job.plannedEnd(), now + 1), amount);
            }
        }
        return profile;
    }

    private long held(Job job, String name) {
        long sum = 0;
        for (NodeShare share : job.shares()) {
            if (!share.gres().isEmpty()) {
                EffectiveNode node = nodes.effective(share.nodeId());
                sum += node == null || !node.gres().containsKey(name)
                        ? share.gres().getOrDefault(name, 0L)
                        : 0;
            }
        }
        return sum;
    }

    /** Returns whether no resource floats over the cluster. */
    boolean isEmpty() {
        return left.isEmpty();
    }

    /** Returns the first instant from the start of {@code slot} on at which there is enough for it; or NEVER. */
    long earliest(Slot slot) {
        long start = slot.start();
        boolean moved = !left.isEmpty();
        while (moved) {
            moved = false;
            for (Map.Entry<Integer, AvailabilityProfile> entry : left.entrySet()) {
                long amount = asked(slot, entry.getKey());
                if (amount > 0) {
                    long next = entry.getValue().earliest(start, slot.seconds(), amount);
                    if (next == AvailabilityProfile.NEVER) {
                        return next;
                    }
                    moved |= next > start;
                    start = next;
                }
            }
        }
        return start;
    }

    void take(Slot slot) {
        left.forEach((index, profile) -> {
            long amount = asked(slot, index);
            if (amount > 0) {
                profile.take(slot.start(), slot.seconds(), amount);
            }
        });
    }

    void giveBack(Slot slot) {
        left.forEach((index, profile) -> {
            long amount = asked(slot, index);
            if (amount > 0) {
                profile.giveBack(slot.start(), slot.seconds(), amount);
            }
        });
    }

    boolean overcommitted() {
        return left.values().stream().anyMatch(AvailabilityProfile::overcommitted);
    }

    /** Returns what the tasks of {@code slot} take of a resource on nodes that have none of their own. */
    private long asked(Slot slot, int index) {
        PlanKey planKey = slot.planKey();
        if (planKey == null) {
            return 0;
        }
        long sum = 0;
        for (TaskShare share : slot.shares()) {
            if (!nodes.at(share.position()).gres().containsKey(names.get(index))) {
                sum += planKey.needs[share.requirement()].taken(index, share.tasks());
            }
        }
        return sum;
    }
}
