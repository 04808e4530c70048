package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps as many idle nodes of each {@linkplain SpareGroups partition or class} as HotSpareCount says, each pool as a system
 * reservation that lets nobody in. A pool below its target takes the last idle nodes in node order, as a node of a job whose
 * script cannot leave its own can be replaced only by one behind that; a pool above its target gives up its first. Costs a
 * walk over the idle nodes while some pool is below its target.
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
        SortedMap<String, Integer> targets = settings == null ? Collections.emptySortedMap() : settings.hotSpares();
        for (AdministrativeReservation reservation : List.copyOf(state.administrativeReservations.all())) {
            if (KeptNodes.isPool(reservation)
                    && targets.keySet().stream()
                            .noneMatch(name -> KeptNodes.poolOf(name).equals(reservation.id()))) {
                kept.release(reservation.id());
            }
        }
        if (targets.isEmpty()) {
            return;
        }
        SpareGroups groups = new SpareGroups(state, targets.keySet());
        SortedMap<String, NavigableSet<Integer>> pools = kept(targets, groups);
        complete(pools, targets, groups);
        pools.forEach((name, pool) -> kept.keep(
                KeptNodes.poolOf(name),
                pool.stream().map(state.nodes::at).toList(),
                now,
                TimeArgument.FOREVER,
                "hot spares of " + groups.describe(name)));
    }

    /** Returns the positions of what each pool has and may keep. */
    private SortedMap<String, NavigableSet<Integer>> kept(SortedMap<String, Integer> targets, SpareGroups groups) {
        SortedMap<String, NavigableSet<Integer>> pools = new TreeMap<>();
        targets.forEach((name, target) -> {
            NavigableSet<Integer> pool = new TreeSet<>();
            for (String nodeId : kept.of(KeptNodes.poolOf(name))) {
                int position = state.nodes.position(nodeId);
                if (isSpare(position) && groups.holds(name, state.nodes.at(position))) {
                    pool.add(position);
                }
            }
            while (pool.size() > target) {
                pool.pollFirst();
            }
            pools.put(name, pool);
        });
        return pools;
    }

    /** Adds idle nodes to the pools below their targets, of several that may take one to the first: one walk for all of them. */
    private void complete(
            SortedMap<String, NavigableSet<Integer>> pools, SortedMap<String, Integer> targets, SpareGroups groups) {
        SortedSet<String> wanting = new TreeSet<>();
        pools.forEach((name, pool) -> {
            if (pool.size() < targets.getOrDefault(name, 0)) {
                wanting.add(name);
            }
        });
        int last = state.nodes.previousOpen(state.nodes.size() - 1);
        for (int i = last; i >= 0 && !wanting.isEmpty(); i = state.nodes.previousOpen(i - 1)) {
            EffectiveNode node = state.nodes.at(i);
            if (!isSpare(i) || !state.administrativeReservations.on(node.id()).isEmpty()) {
                continue;
            }
            String name = wanting.stream()
                    .filter(wants -> groups.holds(wants, node))
                    .findFirst()
                    .orElse(null);
            NavigableSet<Integer> pool = name == null ? null : pools.get(name);
            if (pool != null) {
                pool.add(i);
                if (pool.size() >= targets.getOrDefault(name, 0)) {
                    wanting.remove(name);
                }
            }
        }
    }

    private boolean isSpare(int position) {
        return ready.isReady(position) && !state.nodes.at(position).id().equals(EffectiveNode.GLOBAL);
    }
}
