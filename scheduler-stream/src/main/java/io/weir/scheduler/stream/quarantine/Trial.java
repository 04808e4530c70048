package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.state.Change;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries facts on a copy of a cluster before they are applied to the cluster itself, so that one on which the core fails
 * costs a new copy and no restart of the stream. The copy is kept as long as it is told everything that the cluster is.
 * Owned by the stream thread.
 */
public final class Trial {
    private final Supplier<List<Change>> state;
    private final Supplier<ClusterScheduler> cores;
    private final OutputLimits limits;
    private @Nullable ClusterScheduler copy;

    /** What the copy has and the cluster has not yet; null for nothing. */
    private @Nullable Fact ahead;

    /**
     * Prepares trials of a cluster.
     *
     * @param state returns its whole state
     * @param cores makes its empty core
     */
    public Trial(Supplier<List<Change>> state, Supplier<ClusterScheduler> cores, OutputLimits limits) {
        this.state = state;
        this.cores = cores;
        this.limits = limits;
    }

    /** Returns how the core fails on {@code fact}; empty when it takes or rejects it. */
    public Optional<Throwable> attempt(Fact fact) {
        ClusterScheduler core = copy == null || ahead != null ? fresh() : copy;
        copy = null;
        ahead = null;
        try {
            if (core.check(fact).isEmpty()) {
                limits.check(core.apply(fact));
                ahead = fact;
            }
        } catch (RuntimeException | Error e) {
            if (FailureOrigin.of(e) == FailureOrigin.MACHINE) {
                throw e;
            }
            return Optional.of(e);
        }
        copy = core;
        return Optional.empty();
    }

    /** Notes that {@code fact} was applied to the cluster. */
    public void applied(Fact fact) {
        if (fact.equals(ahead)) {
            ahead = null;
        } else {
            changed();
        }
    }

    /** Notes that the cluster changed in another way. */
    public void changed() {
        copy = null;
        ahead = null;
    }

    private ClusterScheduler fresh() {
        ClusterScheduler core = cores.get();
        state.get().forEach(core::replay);
        return core;
    }
}
