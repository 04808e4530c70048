package io.weir.scheduler.core;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.FactApplier;
import io.weir.scheduler.core.fact.FactCheck;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.failure.SilentManagers;
import io.weir.scheduler.core.iteration.Iteration;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.job.JobBudget;
import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.scheduler.core.quarantine.Suspect;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.Observation;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One cluster's scheduler: facts in, changes and outputs out. It is a pure fold: the same facts and iterations in the
 * same order give the same outputs on any machine. Owned by one thread.
 */
public final class ClusterScheduler {
    /** Version of the decision rules; recorded in every iteration. */
    public static final int DECISION_VERSION = 1;

    private final ClusterState state;
    private final FactCheck check;
    private final FactApplier applier;

    /** Whether entities were replayed whose publication is still due. */
    private boolean replayed;

    /** Creates the scheduler of an empty cluster. */
    public ClusterScheduler(String cluster) {
        this(cluster, new CurrentWork());
    }

    /** Creates one that says what it is working on to {@code work}. */
    ClusterScheduler(String cluster, CurrentWork work) {
        this(cluster, Observation.STORED, work);
    }

    /** Creates the scheduler of an empty cluster that holds as many jobs as {@code budget} allows. */
    ClusterScheduler(String cluster, JobBudget budget) {
        this(cluster);
        state.jobs.configure(budget);
    }

    private ClusterScheduler(String cluster, Observation observation, CurrentWork work) {
        state = new ClusterState(cluster, observation, work);
        check = new FactCheck(state);
        applier = new FactApplier(state);
    }

    /**
     * Creates the scheduler of an empty cluster of which nobody wants more than its decisions: it makes no records for
     * stores and views, and no explanations but those that are asked for. It decides the same.
     */
    public static ClusterScheduler unobserved(String cluster) {
        return new ClusterScheduler(cluster, Observation.NONE, new CurrentWork());
    }

    /**
     * Creates the scheduler of an empty cluster of which nobody wants more than what it publishes: it makes no records for
     * stores, so its iterations and the facts it applies return no changes.
     */
    public static ClusterScheduler unstored(String cluster) {
        return new ClusterScheduler(cluster, Observation.PUBLISHED, new CurrentWork());
    }

    /** Returns the cluster's name. */
    public String cluster() {
        return state.cluster;
    }

    /** Says why {@code fact} cannot be applied in the present state; empty when it can. Changes nothing. */
    public Optional<Rejection> check(Fact fact) {
        return check.check(fact);
    }

    /**
     * Applies an accepted fact and returns the entities it changed, already in force. The changes have to be stored
     * before the next commit; they are published by the next iteration.
     */
    public List<Change> apply(Fact fact) {
        settle();
        applier.apply(fitted(fact));
        return state.records.drain();
    }

    /** Texts that only inform are taken as far as their bounds go. */
    private static Fact fitted(Fact fact) {
        Fields bounds = FactBounds.of(fact.record());
        SpecificRecord record = bounds == null ? fact.record() : bounds.fitted(fact.record());
        return record == fact.record() ? fact : new Fact(record, fact.connector(), fact.epoch());
    }

    /**
     * Runs one scheduling iteration for {@code now}; an earlier instant than the last iteration's counts as that one.
     * Trigger and heartbeat are recorded by the caller; they do not change what is decided.
     */
    public IterationResult iterate(Instant now, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        return iterate(now);
    }

    /** Runs one scheduling iteration for {@code now}. */
    public IterationResult iterate(Instant now) {
        return iterate(now, true);
    }

    /**
     * Runs one scheduling iteration for {@code now}.
     *
     * @param listened whether the scheduler has taken in facts for {@link #patienceSeconds()} since it began to run: before
     *     that, nodes of a resource manager of which nothing is heard stay in service
     */
    public IterationResult iterate(Instant now, boolean listened) {
        settle();
        return new Iteration(state, now.toEpochMilli(), listened).run();
    }

    /** Returns for how long nothing may be heard of a resource manager before its nodes are down, seconds; 0 for ever. */
    public long patienceSeconds() {
        return state.domain.policy.failures().silenceSeconds();
    }

    /** Returns whether nodes of a resource manager are down as soon as an iteration says that the scheduler has listened. */
    public boolean awaitsListening() {
        return SilentManagers.isAnyDue(state);
    }

    /** Puts a stored version of an entity in force; used to rebuild the state, in any order, before the first fact. */
    public void replay(Change change) {
        state.records.restore(change);
        replayed = true;
    }

    /** Returns the whole state as changes, sorted by kind and id: replayed on an empty scheduler they give this state. */
    public List<Change> snapshot() {
        return state.records.snapshot();
    }

    /** Returns the object that was being worked on when the last call threw; empty when that is not known. */
    public Optional<Suspect> suspect() {
        return state.work.suspect();
    }

    /**
     * Returns the objects that came or changed since the last iteration, those that more often bring about a failure
     * first: requests, the newest first, then a policy that waits, jobs and nodes.
     */
    public List<Suspect> latest() {
        List<Suspect> latest = new ArrayList<>();
        state.domain.requests.ids().forEach(id -> latest.add(0, new Suspect(QuarantineKind.REQUEST, id)));
        DomainState.PendingPolicy policy = state.domain.nextPolicy;
        if (policy != null) {
            latest.add(new Suspect(QuarantineKind.POLICY, policy.version()));
        }
        settle();
        state.jobChanges.unpublished().forEach(id -> latest.add(new Suspect(QuarantineKind.JOB, id)));
        state.nodeChanges.unpublished().forEach(id -> latest.add(new Suspect(QuarantineKind.NODE, id)));
        return latest;
    }

    /** Returns how many objects are set aside. */
    public int quarantinedCount() {
        return state.quarantine.size();
    }

    /** Says whether the plan of the last pass goes on behind its slice of the queue. */
    public boolean isPlanUnfinished() {
        return state.planner.unfinished();
    }

    /** Returns what is set aside, by kind and id. */
    public List<Quarantine> quarantined() {
        return state.quarantine.all();
    }

    /** Drops the plan of the last pass, so that the next one is complete; decisions are the same either way. */
    void forgetPlan() {
        state.planner.invalidate();
    }

    /** Lets the starts of an iteration look at no more than {@code most} nodes; the others follow in the next ones. */
    void limitStarts(long most) {
        state.planner.limitStarts(most);
    }

    /**
     * Has a planning pass that cannot be divided make {@code undivided} reservations at most, and {@code makingRoom} while others may
     * be preempted.
     */
    void limitReservations(int undivided, int makingRoom) {
        state.planner.limitReservations(undivided, makingRoom);
    }

    /** Follows nodes one by one even where counting processors would do; decisions are the same either way. */
    void followNodes() {
        state.planner.followNodes();
    }

    /** After a rebuild: entities that changed after the last iteration are still to be published. */
    private void settle() {
        if (!replayed) {
            return;
        }
        replayed = false;
        long due = state.domain.iteration;
        state.nodes.all().stream()
                .filter(node -> node.changedIn() > due)
                .forEach(node -> state.nodeChanges.publish(node.id()));
        state.jobs.all().stream()
                .filter(job -> job.changedIn() > due)
                .forEach(job -> state.jobChanges.publish(job.id()));
        state.reservations.all().stream()
                .filter(reservation -> reservation.changedIn() > due)
                .forEach(reservation -> state.reservationChanges.publish(reservation.id()));
        state.administrativeReservations.all().stream()
                .filter(reservation -> reservation.changedIn() > due)
                .forEach(reservation -> state.reservationChanges.publish(reservation.id()));
    }
}
