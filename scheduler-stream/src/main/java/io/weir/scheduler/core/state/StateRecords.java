package io.weir.scheduler.core.state;

import io.weir.scheduler.core.backfill.PlanProgress;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.state.AdviceRecord;
import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.scheduler.state.CategoryTotals;
import io.weir.scheduler.state.ChargeRun;
import io.weir.scheduler.state.CredentialRecord;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.EventRecord;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.scheduler.state.LienRecord;
import io.weir.scheduler.state.NodeRecord;
import io.weir.scheduler.state.NonstopRecord;
import io.weir.scheduler.state.PolicyStatus;
import io.weir.scheduler.state.TriggerRecord;
import io.weir.schemas.Charge;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The state as the records that stores keep: what changed since the last commit, all that there is, and how a stored version
 * is put in force again.
 */
public final class StateRecords {
    private final ClusterState state;

    /** The domain as {@link #drain} last had it; null before the first time. */
    private @Nullable DomainStatus drainedDomain;

    private boolean policyRestored;
    private boolean domainRestored;

    StateRecords(ClusterState state) {
        this.state = state;
    }

    /** Returns what changed since the last call, each entity once. */
    public List<Change> drain() {
        if (!state.observation.stores()) {
            forgetChanges();
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        state.nodeChanges.drain(changes);
        state.jobChanges.drain(changes);
        state.reservationChanges.drain(changes);
        for (String id : state.explanations.drain()) {
            changes.add(explanationChange(id));
        }
        for (String id : state.history.drain()) {
            changes.add(historyChange(id));
        }
        for (String id : state.pluginAllocations.drain()) {
            changes.add(adviceChange(id));
        }
        for (String id : state.fairshare.drain()) {
            changes.add(fairshareChange(id));
        }
        for (String id : state.statistics.drain()) {
            changes.add(credentialChange(id));
        }
        for (String id : state.categories.drain()) {
            changes.add(categoryChange(id));
        }
        if (state.categories.drainSums()) {
            changes.add(categoryTotalsChange());
        }
        for (String id : state.answers.drain()) {
            changes.add(answerChange(id));
        }
        for (String id : state.quarantine.drain()) {
            changes.add(quarantineChange(id));
        }
        for (String id : state.nonstop.drain()) {
            changes.add(nonstopChange(id));
        }
        for (String id : state.domain.events.drain()) {
            changes.add(eventChange(id));
        }
        for (String id : state.triggers.drain()) {
            changes.add(triggerChange(id));
        }
        for (String id : state.charges.drainRuns()) {
            changes.add(chargeRunChange(id));
        }
        for (String id : state.charges.drainCharges()) {
            changes.add(chargeChange(id));
        }
        for (String id : state.liens.drain()) {
            changes.add(lienChange(id));
        }
        PolicyStatus policy = state.domain.drainPolicy(state.cluster);
        if (policy != null) {
            changes.add(new Change(EntityKind.POLICY, state.cluster, policy));
        }
        DomainStatus now = state.domain.toRecord(state.cluster);
        if (!now.equals(drainedDomain)) {
            changes.add(new Change(EntityKind.DOMAIN, state.cluster, now));
            drainedDomain = now;
        }
        return changes;
    }

    private void forgetChanges() {
        state.nodeChanges.forget();
        state.jobChanges.forget();
        state.reservationChanges.forget();
        state.explanations.drain();
        state.history.forgetChanges();
        state.pluginAllocations.drain();
        state.fairshare.forgetChanges();
        state.statistics.forgetChanges();
        state.categories.forgetChanges();
        state.answers.drain();
        state.quarantine.drain();
        state.nonstop.drain();
        state.domain.events.drain();
        state.triggers.drain();
        state.charges.drainRuns();
        state.charges.drainCharges();
        state.liens.drain();
    }

    /** Returns the whole state as changes, sorted by kind and id: replayed on an empty scheduler they give this state. */
    public List<Change> snapshot() {
        List<Change> all = new ArrayList<>();
        state.nodes.all().stream().map(Node::id).sorted().forEach(id -> all.add(state.nodeChanges.of(id)));
        state.jobs.all().stream().map(Job::id).sorted().forEach(id -> all.add(state.jobChanges.of(id)));
        Stream.concat(
                        state.reservations.all().stream().map(Reservation::id),
                        state.administrativeReservations.all().stream().map(AdministrativeReservation::id))
                .sorted(Comparator.naturalOrder())
                .forEach(id -> all.add(state.reservationChanges.of(id)));
        state.explanations.ids().forEach(id -> all.add(explanationChange(id)));
        state.pluginAllocations.ids().forEach(id -> all.add(adviceChange(id)));
        state.fairshare.begin(state.jobs.active());
        state.fairshare
                .ids()
                .forEach(id -> all.add(
                        new Change(EntityKind.FAIRSHARE, id, state.fairshare.settledRecord(state.cluster, id))));
        state.statistics.ids().forEach(id -> all.add(credentialChange(id)));
        state.history.ids().forEach(id -> all.add(historyChange(id)));
        state.categories.ids().forEach(id -> all.add(categoryChange(id)));
        if (state.categories.totals(state.cluster) != null) {
            all.add(categoryTotalsChange());
        }
        state.answers.ids().forEach(id -> all.add(answerChange(id)));
        state.quarantine.ids().forEach(id -> all.add(quarantineChange(id)));
        state.nonstop.ids().forEach(id -> all.add(nonstopChange(id)));
        state.domain.events.ids().forEach(id -> all.add(eventChange(id)));
        state.triggers.ids().forEach(id -> all.add(triggerChange(id)));
        state.charges.runIds().forEach(id -> all.add(chargeRunChange(id)));
        state.charges.chargeIds().forEach(id -> all.add(chargeChange(id)));
        state.liens.ids().forEach(id -> all.add(lienChange(id)));
        all.add(new Change(EntityKind.POLICY, state.cluster, state.domain.policyRecord(state.cluster)));
        all.add(new Change(EntityKind.DOMAIN, state.cluster, state.domain.toRecord(state.cluster)));
        return all;
    }

    /** Puts a stored version of an entity in force; used to rebuild the state, in any order, before the first fact. */
    public void restore(Change change) {
        SpecificRecord value = change.value();
        if (value == null) {
            throw new IllegalArgumentException(
                    "a stored " + change.kind() + " has a value; " + change.id() + " has none");
        }
        boolean freed = state.domain.capacityFreed;
        @Nullable PlanProgress progress = state.domain.planProgress;
        switch (change.kind()) {
            case NODE -> state.replay(Node.from((NodeStatus) value));
            case JOB -> state.replay(Job.from((JobStatus) value));
            case RESERVATION -> {
                ReservationStatus status = (ReservationStatus) value;
                if (AdministrativeReservation.describes(status)) {
                    state.administrativeReservations.put(AdministrativeReservation.from(status));
                } else {
                    state.reservations.put(Reservation.from(status));
                }
            }
            case EXPLANATION -> state.explanations.restore((Explanation) value);
            case FAIRSHARE -> state.fairshare.restore((FairshareStatus) value);
            case CREDENTIAL -> state.statistics.restore((CredentialRecord) value);
            case ADVICE -> state.pluginAllocations.restore((AdviceRecord) value);
            case HISTORY -> state.history.restore((NodeRecord) value);
            case CATEGORY -> state.categories.restore((CategoryRecord) value);
            case CATEGORY_TOTALS -> state.categories.restore((CategoryTotals) value);
            case ANSWER -> state.answers.restore((AnsweredRequest) value);
            case QUARANTINE -> state.quarantine.restore((Quarantine) value);
            case NONSTOP -> state.nonstop.restore((NonstopRecord) value);
            case EVENT -> state.domain.events.restore((EventRecord) value);
            case TRIGGER -> state.triggers.restore((TriggerRecord) value);
            case CHARGE_RUN -> state.charges.restore((ChargeRun) value);
            case CHARGE -> state.charges.restore((Charge) value);
            case LIEN -> state.liens.restore((LienRecord) value);
            case POLICY -> {
                state.domain.restore((PolicyStatus) value);
                policyRestored = true;
                configure();
            }
            case DOMAIN -> {
                policyRestored |= state.domain.restore((DomainStatus) value);
                state.clock = state.domain.now();
                domainRestored = true;
                configure();
                freed = state.domain.capacityFreed;
                progress = state.domain.planProgress;
            }
        }
        state.domain.capacityFreed = freed;
        state.domain.planProgress = progress;
    }

    /** Puts the policy in force once, when both the policy and the instant are known. */
    private void configure() {
        if (policyRestored && domainRestored) {
            state.configure();
        }
    }

    /** Returns the version of a node in force; null when it is gone. */
    @Nullable
    SpecificRecord ofNode(String id) {
        state.work.on(QuarantineKind.NODE, id);
        Node node = state.nodes.get(id);
        return node == null ? null : node.toRecord(state.cluster);
    }

    /** Returns the version of a job in force; null when it is gone. */
    @Nullable
    SpecificRecord ofJob(String id) {
        state.work.on(QuarantineKind.JOB, id);
        Job job = state.jobs.get(id);
        return job == null ? null : job.toRecord(state.cluster);
    }

    /** Returns the version of a reservation in force, of a job or of none; null when it is gone. */
    @Nullable
    SpecificRecord ofReservation(String id) {
        AdministrativeReservation site = state.administrativeReservations.get(id);
        if (site != null) {
            state.work.on(QuarantineKind.RESERVATION, id);
            return site.toRecord(state.cluster);
        }
        Reservation reservation = state.reservations.withId(id);
        state.work.on(QuarantineKind.JOB, reservation == null ? id : reservation.jobId());
        return reservation == null ? null : reservation.toRecord(state.cluster);
    }

    private Change explanationChange(String id) {
        return new Change(EntityKind.EXPLANATION, id, state.explanations.get(id));
    }

    private Change historyChange(String id) {
        return new Change(EntityKind.HISTORY, id, state.history.toRecord(state.cluster, id));
    }

    private Change adviceChange(String id) {
        return new Change(EntityKind.ADVICE, id, state.pluginAllocations.toRecord(state.cluster, id));
    }

    private Change categoryChange(String id) {
        return new Change(EntityKind.CATEGORY, id, state.categories.toRecord(state.cluster, id));
    }

    private Change categoryTotalsChange() {
        return new Change(EntityKind.CATEGORY_TOTALS, state.cluster, state.categories.totals(state.cluster));
    }

    private Change answerChange(String id) {
        return new Change(EntityKind.ANSWER, id, state.answers.get(id));
    }

    private Change quarantineChange(String id) {
        return new Change(EntityKind.QUARANTINE, id, state.quarantine.toRecord(id));
    }

    private Change nonstopChange(String id) {
        return new Change(EntityKind.NONSTOP, id, state.nonstop.toRecord(state.cluster, id));
    }

    private Change chargeRunChange(String id) {
        return new Change(EntityKind.CHARGE_RUN, id, state.charges.runRecord(id));
    }

    private Change chargeChange(String id) {
        return new Change(EntityKind.CHARGE, id, state.charges.chargeRecord(id));
    }

    private Change lienChange(String id) {
        return new Change(EntityKind.LIEN, id, state.liens.toRecord(state.cluster, id));
    }

    private Change triggerChange(String id) {
        return new Change(EntityKind.TRIGGER, id, state.triggers.toRecord(state.cluster, id));
    }

    private Change eventChange(String id) {
        return new Change(EntityKind.EVENT, id, state.domain.events.toRecord(state.cluster, id));
    }

    private Change credentialChange(String id) {
        return new Change(EntityKind.CREDENTIAL, id, state.statistics.toRecord(state.cluster, id));
    }

    private Change fairshareChange(String id) {
        return new Change(EntityKind.FAIRSHARE, id, state.fairshare.toRecord(state.cluster, id));
    }
}
