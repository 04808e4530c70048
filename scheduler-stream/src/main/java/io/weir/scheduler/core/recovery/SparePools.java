package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps as many idle nodes of each partition as HotSpareCount says, each pool as a system reservation that lets nobody in.
 * A pool below its target takes the first idle nodes in node order; one above it gives up its last. Costs a walk over the
 * idle nodes while some pool is below its target.
 */
public final class SparePools {
    private final ClusterState state;
    private final KeptNodes kept;
    private final ReadyNodes ready;
    private final long now;

    public SparePools(ClusterState state, long now) {
        this.state = state;
        this.now = now;
        kept = new KeptNodes(state);
        ready = new ReadyNodes(state);
    }

    /** Brings every pool to its target, as far as there are idle nodes. */
    public void fill() {
        NonstopSettings settings = state.domain.policy.nonstop();
        SortedMap<String, Integer> targets = settings == null ? new TreeMap<>() : settings.hotSpares();
        for (AdministrativeReservation reservation : List.copyOf(state.administrativeReservations.all())) {
            if (KeptNodes.isPool(reservation)
                    && targets.keySet().stream()
                            .noneMatch(p -> KeptNodes.poolOf(p).equals(reservation.id()))) {
                kept.release(reservation.id());
            }
        }
        if (targets.isEmpty()) {
            return;
        }
        SortedMap<String, List<EffectiveNode>> pools = kept(targets);
        complete(pools, targets);
        pools.forEach((partition, pool) -> kept.keep(
                KeptNodes.poolOf(partition), pool, now, TimeArgument.FOREVER, "hot spares of partition " + partition));
    }

    /** Returns what each pool has and may keep. */
    private SortedMap<String, List<EffectiveNode>> kept(SortedMap<String, Integer> targets) {
        SortedMap<String, List<EffectiveNode>> pools = new TreeMap<>();
        targets.forEach((partition, target) -> {
            List<EffectiveNode> pool = new ArrayList<>();
            for (String nodeId : kept.of(KeptNodes.poolOf(partition))) {
                int position = state.nodes.position(nodeId);
                if (position >= 0 && pool.size() < target && isSpare(partition, position)) {
                    pool.add(state.nodes.at(position));
                }
            }
            pools.put(partition, pool);
        });
        return pools;
    }

    /** Adds idle nodes to the pools below their targets: one walk for all of them. */
    private void complete(SortedMap<String, List<EffectiveNode>> pools, SortedMap<String, Integer> targets) {
        SortedSet<String> wanting = new TreeSet<>();
        pools.forEach((partition, pool) -> {
            if (pool.size() < targets.getOrDefault(partition, 0)) {
                wanting.add(partition);
            }
        });
        for (int i = state.nodes.nextOpen(0); i >= 0 && !wanting.isEmpty(); i = state.nodes.nextOpen(i + 1)) {
            EffectiveNode node = state.nodes.at(i);
            String partition = node.partition();
            List<EffectiveNode> pool = wanting.contains(partition) ? pools.get(partition) : null;
            if (pool != null
                    && isSpare(partition, i)
                    && state.administrativeReservations.on(node.id()).isEmpty()) {
                pool.add(node);
                if (pool.size() >= targets.getOrDefault(partition, 0)) {
                    wanting.remove(partition);
                }
            }
        }
    }

    private boolean isSpare(String partition, int position) {
        EffectiveNode node = state.nodes.at(position);
        return ready.isReady(position)
                && node.partition().equals(partition)
                && !node.id().equals(EffectiveNode.GLOBAL);
    }
}
