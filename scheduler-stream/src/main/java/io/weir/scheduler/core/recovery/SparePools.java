package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps as many idle nodes of each partition as HotSpareCount says, each pool as a system reservation that lets nobody in.
 * A pool below its target takes the first idle nodes in node order; one above it gives up its last. Costs a walk over the
 * nodes while a pool is below its target.
 */
public final class SparePools {
    private final ClusterState state;
    private final KeptNodes kept;
    private final long now;

    public SparePools(ClusterState state, long now) {
        this.state = state;
        this.now = now;
        kept = new KeptNodes(state);
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
        targets.forEach(this::fill);
    }

    private void fill(String partition, int target) {
        String id = KeptNodes.poolOf(partition);
        List<EffectiveNode> pool = new ArrayList<>();
        for (String nodeId : kept.of(id)) {
            int position = state.nodes.position(nodeId);
            if (position >= 0 && pool.size() < target && isSpare(partition, position)) {
                pool.add(state.nodes.at(position));
            }
        }
        for (int i = state.nodes.nextOpen(0); i >= 0 && pool.size() < target; i = state.nodes.nextOpen(i + 1)) {
            if (isSpare(partition, i)
                    && state.administrativeReservations
                            .on(state.nodes.at(i).id())
                            .isEmpty()) {
                pool.add(state.nodes.at(i));
            }
        }
        kept.keep(id, pool, now, TimeArgument.FOREVER, "hot spares of partition " + partition);
    }

    private boolean isSpare(String partition, int position) {
        EffectiveNode node = state.nodes.at(position);
        return node.node().accepting()
                && node.partition().equals(partition)
                && !node.id().equals(EffectiveNode.GLOBAL)
                && state.nodes.jobsAt(position) == 0;
    }
}
