package io.weir.scheduler.core;

import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.IterationTrigger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One cluster's scheduler: facts in, changes and outputs out. It is a pure fold: the same facts and iterations in the
 * same order give the same outputs on any machine. Owned by one thread.
 */
public final class ClusterScheduler {
    /** Version of the decision rules; recorded in every iteration. */
    public static final int DECISION_VERSION = 1;

    private final String cluster;

    /** Creates the scheduler of an empty cluster. */
    public ClusterScheduler(String cluster) {
        this.cluster = cluster;
    }

    /** Returns the cluster's name. */
    public String cluster() {
        return cluster;
    }

    /** Says why {@code fact} cannot be applied in the present state; empty when it can. Changes nothing. */
    public Optional<Rejection> check(Fact fact) {
        throw new UnsupportedOperationException();
    }

    /**
     * Applies an accepted fact and returns the entities it changed, already in force. The changes have to be stored
     * before the next commit; they are published by the next iteration.
     */
    public List<Change> apply(Fact fact) {
        throw new UnsupportedOperationException();
    }

    /**
     * Runs one scheduling iteration for {@code now}; an earlier instant than the last iteration's counts as that one.
     */
    public IterationResult iterate(Instant now, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        throw new UnsupportedOperationException();
    }

    /** Puts a stored version of an entity in force; used to rebuild the state, in any order, before the first fact. */
    public void replay(Change change) {
        throw new UnsupportedOperationException();
    }

    /** Returns the whole state as changes, sorted by kind and id: replayed on an empty scheduler they give this state. */
    public List<Change> snapshot() {
        throw new UnsupportedOperationException();
    }
}
