package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.category.CategoryFinding;
import io.weir.scheduler.core.category.CategoryLedger;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CategoryInterval;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts nodes whose history is kept into the categories that follow from the state at the end of an iteration, and publishes
 * the intervals that ended. It looks only at nodes of which something changed.
 */
final class CategoryUpdate {
    private final ClusterState state;
    private final CategoryLedger ledger;
    private final IterationOutputs outputs;
    private final long now;

    CategoryUpdate(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.ledger = state.categories;
        this.outputs = outputs;
        this.now = now;
    }

    /** Goes on to the present, before anything changes and anybody asks. */
    void begin() {
        if (!ledger.isIdle() && state.observation.publishes()) {
            ledger.advance(now);
        }
    }

    /** Puts nodes into the categories they have from now on. */
    void finish() {
        if (ledger.isIdle() || !state.observation.publishes()) {
            state.claims.forget();
            ledger.looked();
            return;
        }
        state.claims.advance(now, ledger::touch);
        for (String id : ledger.allTouched() ? all() : ledger.touched()) {
            state.work.on(QuarantineKind.NODE, id);
            CategoryInterval ended = update(id);
            if (ended != null) {
                outputs.ended(ended);
            }
        }
        ledger.looked();
    }

    private SortedSet<String> all() {
        SortedSet<String> ids = new TreeSet<>(ledger.ids());
        for (Node node : state.nodes.all()) {
            ids.add(node.id());
        }
        return ids;
    }

    private @Nullable CategoryInterval update(String id) {
        EffectiveNode effective = state.nodes.effective(id);
        if (effective == null
                || effective.node().state() == NodeState.REMOVED
                || id.equals(EffectiveNode.GLOBAL)
                || !state.domain.policy.profiles(id)) {
            return ledger.forget(state.cluster, id, now, state.domain.nextIteration());
        }
        int position = state.nodes.position(id);
        CategoryFinding finding =
                state.categorizer().of(effective.node(), state.nodes.jobsAt(position) > 0, state.claims.on(id));
        return ledger.follow(
                state.cluster, id, finding, effective.configured().procs(), now, state.domain.nextIteration());
    }
}
