package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.PartitionPolicy;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among the partitions in which a job can start now, by PARALLOCATIONPOLICY. A later start is the earliest in any
 * partition; of equal ones, the first by name. Remembers the partition of the last start, for ROUNDROBIN.
 */
final class PartitionChoice {
    private final NodeTable nodes;
    private PartitionPolicy policy = PartitionPolicy.FIRSTSTART;
    private long seed;
    private @Nullable String last;

    PartitionChoice(NodeTable nodes) {
        this.nodes = nodes;
    }

    void configure(SitePolicy inForce) {
        policy = inForce.allocation().partition();
        seed = inForce.scheduler().randomSeed();
    }

    /** Returns whether the first partition will do in which a job finds nodes. */
    boolean takesFirst() {
        return policy == PartitionPolicy.FIRSTSTART;
    }

    /** Says in which partition the last job started; null for none. */
    void lastStarted(@Nullable String partition) {
        last = partition;
    }

    /** Returns one of {@code places}, which is not empty: by partition, the nodes found there. */
    List<TaskShare> choose(Job job, long now, SortedMap<String, List<TaskShare>> places) {
        return places.getOrDefault(partition(job, now, places), List.of());
    }

    private String partition(Job job, long now, SortedMap<String, List<TaskShare>> places) {
        return switch (policy) {
            case FIRSTSTART -> places.firstKey();
            case BESTFIT -> least(places, false);
            case LOADBALANCE -> least(places, true);
            case ROUNDROBIN -> next(places);
            case RANDOM -> drawn(job, now, places);
        };
    }

    /** Returns the partition with the fewest free processors, or that with the smallest part taken. */
    private String least(SortedMap<String, List<TaskShare>> places, boolean balance) {
        String best = places.firstKey();
        double least = Double.POSITIVE_INFINITY;
        for (String name : places.keySet()) {
            long configured = 0;
            long held = 0;
            for (int position = 0; position < nodes.size(); position++) {
                EffectiveNode node = nodes.at(position);
                if (node.partition().equals(name) && node.accepting()) {
                    configured += node.configured().procs();
                    held += nodes.heldAt(position).procs();
                }
            }
            double measure = balance ? (double) held / Math.max(1, configured) : configured - held;
            if (measure < least) {
                least = measure;
                best = name;
            }
        }
        return best;
    }

    private String next(SortedMap<String, List<TaskShare>> places) {
        if (last == null) {
            return places.firstKey();
        }
        SortedMap<String, List<TaskShare>> after = places.tailMap(last + "\0");
        return after.isEmpty() ? places.firstKey() : after.firstKey();
    }

    private String drawn(Job job, long now, SortedMap<String, List<TaskShare>> places) {
        int number = new Random(seed ^ now ^ ((long) job.id().hashCode() << 32)).nextInt(places.size());
        return List.copyOf(places.keySet()).get(number);
    }
}
