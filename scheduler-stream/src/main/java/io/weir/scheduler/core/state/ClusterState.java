package io.weir.scheduler.core.state;

import io.weir.scheduler.core.backfill.BackfillPlanner;
import io.weir.scheduler.core.category.ActiveClaims;
import io.weir.scheduler.core.category.CategoryLedger;
import io.weir.scheduler.core.category.NodeCategorizer;
import io.weir.scheduler.core.charge.ChargeLedger;
import io.weir.scheduler.core.charge.LienTable;
import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.explain.ExplanationTable;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nonstop.NonstopTable;
import io.weir.scheduler.core.placement.history.NodeUsageHistory;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import io.weir.scheduler.core.plan.StartEstimator;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.value.EventName;
import io.weir.scheduler.core.priority.ClusterCapacity;
import io.weir.scheduler.core.priority.FairshareLedger;
import io.weir.scheduler.core.priority.PriorityCalculator;
import io.weir.scheduler.core.priority.QosAccess;
import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.scheduler.core.quarantine.QuarantineTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.control.FruitlessSearches;
import io.weir.scheduler.core.reservation.control.UsageMeter;
import io.weir.scheduler.core.statistics.CredentialLedger;
import io.weir.scheduler.core.trigger.TriggerTable;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one cluster and the only way to change it: a new version of an entity is emitted, which replays it into
 * the tables and remembers it for the stores and for publication. Owned by the core's thread.
 */
public final class ClusterState {
    /** Follows the id of a job in that of its reservation where another reservation has the id of the job. */
    private static final String OF_JOB = ".rsv";

    public final String cluster;
    public final CurrentWork work;
    public final NodeTable nodes = new NodeTable();
    public final JobTable jobs = new JobTable();
    public final ReservationTable reservations = new ReservationTable();
    public final AdministrativeReservationTable administrativeReservations = new AdministrativeReservationTable();
    public final ReservationAccess access = new ReservationAccess(administrativeReservations, nodes, jobs);
    public final FruitlessSearches fruitlessSearches = new FruitlessSearches(nodes, jobs, administrativeReservations);
    public final DomainState domain = new DomainState();
    public final NodeUsageHistory history = new NodeUsageHistory(nodes);
    public final PluginAllocationTable pluginAllocations = new PluginAllocationTable();
    public final NodePlacer placement = new NodePlacer(
            nodes,
            jobs,
            history,
            new ReservedTime(nodes, jobs, reservations, administrativeReservations, access),
            pluginAllocations);
    public final BackfillPlanner planner = new BackfillPlanner(jobs, nodes, reservations, access, placement);
    public final ExplanationTable explanations = new ExplanationTable();
    public final FairshareLedger fairshare = new FairshareLedger();
    public final CredentialLedger statistics = new CredentialLedger();
    public final QuarantineTable quarantine = new QuarantineTable();
    public final NonstopTable nonstop = new NonstopTable();
    public final CategoryLedger categories = new CategoryLedger();
    public final TriggerTable triggers;
    public final TriggerWatch watch;
    public final ActiveClaims claims = new ActiveClaims(administrativeReservations, reservations);

    /** Ranks the jobs under the policy in force. */
    private PriorityCalculator priorities = new PriorityCalculator(SitePolicy.DEFAULT, ClusterCapacity.NONE, fairshare);

    /** Instant at which changes take effect, epoch seconds: that of the iteration under way, or else of the last one. */
    public long clock;

    private final UnmeasuredJobs unmeasuredJobs = new UnmeasuredJobs(jobs, domain);

    private QosAccess qosAccess = new QosAccess(SitePolicy.DEFAULT);

    private NodeCategorizer categorizer = new NodeCategorizer(SitePolicy.DEFAULT.categories());

    public final AnswerTable answers = new AnswerTable();

    /** What the allocation manager was asked before jobs start. */
    public final LienTable liens = new LienTable();

    /** What is charged. */
    public final ChargeLedger charges;

    /** Raises what befalls objects as events. */
    public final ObjectEvents objectEvents;

    public final EntityChanges nodeChanges;
    public final EntityChanges jobChanges;
    public final EntityChanges reservationChanges;

    /** What is wanted beside decisions. */
    public final Observation observation;

    /** The same as the records that stores keep. */
    public final StateRecords records = new StateRecords(this);

    public ClusterState(String cluster, Observation observation, CurrentWork work) {
        this.cluster = cluster;
        this.work = work;
        this.observation = observation;
        objectEvents = new ObjectEvents(domain);
        triggers = new TriggerTable(cluster);
        watch = new TriggerWatch(triggers);
        domain.whenRaised(this::awaken);
        triggers.whenFull(key -> domain.notice(
                Severity.WARNING,
                "triglimit",
                key.type(),
                key.id(),
                "triggers of " + key.type() + " " + key.id() + " do not fire: something happened to triggers of "
                        + TriggerTable.MOST_OBJECTS
                        + " objects already, which is all that may; give fewer objects any"));
        triggers.ends().whenOver(key -> {
            Job job = key.type().equals("job") ? jobs.get(key.id()) : null;
            return job != null && job.finished();
        });
        charges = new ChargeLedger(cluster, nodes);
        charges.settingAside(id -> quarantine.has(QuarantineKind.NODE, id));
        nodeChanges = new EntityChanges(EntityKind.NODE, records::ofNode, observation.stores());
        jobChanges = new EntityChanges(EntityKind.JOB, records::ofJob, observation.stores());
        reservationChanges = new EntityChanges(EntityKind.RESERVATION, records::ofReservation, observation.stores());
    }

    /** Has triggers of nodes that wait for one of the scheduler's own events learn of it. */
    private void awaken(EventKey raised) {
        boolean ofNode = raised.objectType().equals("node") && nodes.get(raised.objectId()) != null;
        if (ofNode && EventName.isBuiltIn(raised.event())) {
            watch.event(raised.objectId(), raised.event(), true);
        }
    }

    /** Sees nodes and plans through the policy now in force. */
    public void configure() {
        nodes.configure(domain.policy);
        fairshare.configure(domain.policy.fairshare());
        access.configure(domain.policy);
        qosAccess = new QosAccess(domain.policy);
        priorities = new PriorityCalculator(domain.policy, ClusterCapacity.of(nodes), fairshare);
        planner.configure(domain.policy);
        domain.events.configure(domain.policy.events());
        watch.configure(domain.policy);
        charges.configure(domain.policy, domain.chargingSince);
        categorizer = new NodeCategorizer(domain.policy.categories());
        categories.configure(domain.policy.categories(), domain.policy.profilesAny(), clock);
    }

    /**
     * Puts another policy in force at {@link #clock}: from then on the stores are seen through it, and what lasts is charged
     * if it was not, and no longer if it was.
     */
    public void reconfigure() {
        boolean charged = charges.on();
        boolean charging = domain.policy.charging().on();
        if (charged && charging) {
            countAtPresentRates();
        }
        if (charged && !charging) {
            charges.suspend(jobs::get, this::counted, clock);
        }
        if (charged != charging) {
            domain.chargingSince = charging ? clock : Job.NONE;
        }
        configure();
        replan();
        if (!charged && charging) {
            charges.begin(
                    jobs.active(),
                    administrativeReservations.all().stream()
                            .filter(ChargeLedger::isCharged)
                            .map(this::counted)
                            .toList(),
                    clock);
        }
    }

    /** Counts what jobs hold and what reservations keep unused up to now, before other rates are in force. */
    private void countAtPresentRates() {
        charges.count(jobs::get, clock);
        for (AdministrativeReservation reservation : List.copyOf(administrativeReservations.all())) {
            AdministrativeReservation counted = counted(reservation);
            if (ChargeLedger.isCharged(reservation) && !counted.equals(reservation)) {
                emit(counted);
            }
        }
    }

    private @Nullable AdministrativeReservation counted(String id) {
        AdministrativeReservation reservation = administrativeReservations.get(id);
        return reservation == null ? null : counted(reservation);
    }

    private AdministrativeReservation counted(AdministrativeReservation reservation) {
        return new UsageMeter(nodes, jobs, access).upTo(reservation, clock);
    }

    /** Returns what derives the categories of nodes. */
    public NodeCategorizer categorizer() {
        return categorizer;
    }

    /** Returns who may use which quality of service. */
    public QosAccess qosAccess() {
        return qosAccess;
    }

    /** Settles the quality of service of all jobs anew. */
    public void settleQos() {
        for (Job job : List.copyOf(jobs.all())) {
            JobEdit edit = job.edit();
            qosAccess.settle(edit);
            Job settled = edit.done();
            if (!job.finished() && !Objects.equals(job.qos(), settled.qos())) {
                emit(edit);
            }
        }
    }

    /** Returns an estimator of starts at {@code now}, epoch seconds; the next pass is a complete one. */
    public StartEstimator startEstimator(long now) {
        domain.planProgress = null;
        return planner.startEstimator(now);
    }

    /** Says that the plan no longer holds: the next pass is a complete one, and begins with its first slice. */
    public void replan() {
        planner.invalidate();
        domain.planProgress = null;
    }

    /** Puts the waiting jobs in the order of their priorities at {@link #clock}. */
    public void rank() {
        fairshare.charge(jobs.active(), clock);
        priorities.charged();
        planner.reordered(jobs.queue().rank(priorities(), clock));
    }

    /** Returns what ranks the jobs now. */
    public PriorityCalculator priorities() {
        if (priorities.dependsOnCapacity()) {
            ClusterCapacity capacity = ClusterCapacity.of(nodes);
            if (!capacity.equals(priorities.capacity())) {
                priorities = new PriorityCalculator(domain.policy, capacity, fairshare);
            }
        }
        return priorities;
    }

    /** Makes placement look at the nodes as they are at {@code now}. */
    public void beginPlacement(long now) {
        List<Job> unmeasured = unmeasuredJobs.at(now);
        history.watch(now);
        boolean matters = placement.measuring() || placement.withholding();
        placement.begin(domain.policy, now, domain.nextIteration(), unmeasured);
        if (matters && !unmeasuredJobs.isLast(unmeasured)) {
            planner.invalidate();
        }
        unmeasuredJobs.begin(unmeasured);
    }

    /** Says that the pass under way started {@code job}. */
    public void started(Job job) {
        placement.started(job);
        unmeasuredJobs.started(job);
    }

    /** Emits the next version of a job, to be published by the next iteration, and returns it. */
    public Job emit(JobEdit edit) {
        Job before = jobs.get(edit.id());
        qosAccess.settle(edit);
        edit.accruing(before, domain.policy.priority().accrual(), clock);
        Job job = edit.changedIn(domain.nextIteration()).done();
        if (before != null && before.active() && !job.active()) {
            fairshare.charge(before, job.end() == Job.NONE ? clock : job.end());
        }
        jobChanges.publish(job.id());
        store(job);
        return job;
    }

    /** Puts a version of a job in force without publishing it. */
    public void store(Job job) {
        fairshare.begin(jobs.active());
        Job before = jobs.get(job.id());
        jobChanges.changed(job.id());
        replay(job);
        history.follow(before, job, job.active() ? job.start() : domain.now());
        fairshare.follow(before, job);
        watch.job(before, job, nodes, clock);
        charges.job(before, job, clock);
        statistics.follow(before, job, clock);
        objectEvents.job(before, job);
    }

    /** Removes a job for good. */
    public void purge(Job job) {
        quarantine.remove(QuarantineKind.JOB, job.id());
        fairshare.begin(jobs.active());
        fairshare.follow(job, null);
        jobs.remove(job.id());
        domain.events.forget("job", job.id());
        watch.jobGone(job.id());
        charges.gone(job.id());
        jobChanges.publish(job.id());
        jobChanges.changed(job.id());
    }

    /** Emits the next version of a node, to be published by the next iteration. */
    public void emit(Node node) {
        Node next = node.changedIn(domain.nextIteration());
        Node before = nodes.get(node.id());
        if (before != null
                && charges.on()
                && !Objects.equals(
                        before.attributes().chargeRate(), next.attributes().chargeRate())) {
            countAtPresentRates();
        }
        nodeChanges.publish(next.id());
        store(next);
    }

    /** Puts a version of a node in force without publishing it. */
    public void store(Node node) {
        Node before = nodes.get(node.id());
        categories.touch(node.id());
        nodeChanges.changed(node.id());
        replay(node);
        history.follow(
                node.id(),
                before != null && before.state() == NodeState.DOWN,
                node.state() == NodeState.DOWN,
                domain.now());
        watch.node(before, node, clock);
        charges.node(before, node, jobs::get);
        statistics.up(upProcs(node) - (before == null ? 0 : upProcs(before)), clock);
    }

    /** Removes a node for good. */
    public void purge(Node node) {
        quarantine.remove(QuarantineKind.NODE, node.id());
        statistics.up(-upProcs(node), clock);
        nodes.remove(node.id());
        domain.events.forget("node", node.id());
        watch.nodeGone(node.id());
        categories.touch(node.id());
        history.forget(node.id());
        nodeChanges.changed(node.id());
        replan();
    }

    /** Begins to keep the statistics of credentials, unless it did before. */
    public void beginStatistics() {
        if (!statistics.hasBegun()) {
            statistics.begin(
                    nodes.all().stream().mapToLong(ClusterState::upProcs).sum(), clock);
        }
    }

    private static long upProcs(Node node) {
        return switch (node.state()) {
            case DOWN, REMOVED, UNKNOWN -> 0;
            default -> node.procs();
        };
    }

    /**
     * Emits a reservation of a job. It keeps the id it has; a new one has that of its job, or one made of it while another
     * reservation has that.
     */
    public void emit(Reservation reservation) {
        Reservation old = reservations.get(reservation.jobId());
        String id = old == null ? reservation.jobId() : old.id();
        while (isTaken(id, reservation.jobId())) {
            id += OF_JOB;
        }
        reservations.put(reservation.named(id));
        changed(id);
        if (old != null && !old.id().equals(id)) {
            changed(old.id());
        }
    }

    /** Returns whether a reservation has {@code id} that is not the one of {@code jobId}. */
    private boolean isTaken(String id, String jobId) {
        Reservation other = reservations.withId(id);
        return administrativeReservations.get(id) != null
                || (other != null && !other.jobId().equals(jobId));
    }

    /** Another version of the reservation with {@code id} is in force, or it is gone. */
    private void changed(String id) {
        reservationChanges.publish(id);
        reservationChanges.changed(id);
    }

    /** Gives up a reservation. */
    public void removeReservation(String jobId) {
        Reservation old = reservations.get(jobId);
        reservations.remove(jobId);
        changed(old == null ? jobId : old.id());
    }

    /** Emits a reservation that is no job's. One of a job that has its id gets another. */
    public void emit(AdministrativeReservation reservation) {
        AdministrativeReservation old = administrativeReservations.get(reservation.id());
        AdministrativeReservation next = reservation.changedIn(domain.nextIteration());
        administrativeReservations.put(next);
        changed(next.id());
        Reservation namesake = reservations.withId(next.id());
        if (namesake != null) {
            emit(namesake.changedIn(domain.nextIteration()));
        }
        if (old == null || !old.reservesAs(next)) {
            domain.capacityFreed |= old != null;
            replan();
        }
        watch.reservation(old, next, clock);
        objectEvents.reservation(old, next, clock);
        charges.reservation(next);
    }

    /** Ends a reservation that is no job's. */
    public void remove(AdministrativeReservation reservation) {
        remove(reservation, clock);
    }

    /** Ends a reservation that is no job's as of {@code at}, epoch seconds. */
    public void remove(AdministrativeReservation reservation, long at) {
        administrativeReservations.remove(reservation.id());
        changed(reservation.id());
        domain.capacityFreed = true;
        replan();
        domain.events.forget("rsv", reservation.id());
        if (at < reservation.end()) {
            objectEvents.cancelled(reservation);
        }
        watch.reservationGone(reservation, at);
        charges.ended(reservation, at < reservation.end());
    }

    /** Counts what {@code job} used of reservations before it gives its nodes back; {@code over} when it has ended. */
    private void meter(Job job, long end, boolean over) {
        if (!administrativeReservations.isEmpty()) {
            new UsageMeter(nodes, jobs, access)
                    .left(administrativeReservations.on(job.shares()), job, end, over)
                    .forEach(this::emit);
        }
    }

    /** Puts a version of a job in force: the one place where tables, held resources and the plan follow a job. */
    public void replay(Job job) {
        Job before = jobs.get(job.id());
        if (before != null && before.active() && !PlanningEquivalence.sameHold(before, job)) {
            meter(before, job.finished() ? job.end() : domain.now(), job.finished());
        }
        Job old = jobs.put(job);
        if (old != null && old.active()) {
            if (PlanningEquivalence.sameHold(old, job)) {
                if (!PlanningEquivalence.samePresence(old, job)) {
                    nodes.reconsider(job.shares());
                    replan();
                }
                return;
            }
            nodes.release(old.id(), old.shares(), old.positions(nodes));
            touch(old);
            domain.capacityFreed = true;
            replan();
        }
        if (job.active()) {
            nodes.hold(job.id(), job.shares(), job.positions(nodes));
            touch(job);
            replan();
        }
        boolean stays = old != null && old.waiting() && PlanningEquivalence.sameDemand(old, job);
        if (job.waiting() && !stays) {
            planner.joined(job);
        }
        if (old != null && old.waiting() && !stays) {
            left(job);
        }
    }

    /** The categories of a job's nodes may change. */
    private void touch(Job job) {
        if (!categories.isIdle()) {
            job.shares().forEach(share -> categories.touch(share.nodeId()));
        }
    }

    /** Puts a version of a node in force. */
    public void replay(Node node) {
        EffectiveNode before = nodes.effective(node.id());
        Node old = nodes.put(node);
        boolean same = old != null && PlanningEquivalence.sameOffer(old, before, node, nodes.effective(node.id()));
        if (!same) {
            replan();
            if (node.plannable() && (old == null || !old.plannable() || old.procs() < node.procs())) {
                domain.capacityFreed = true;
            }
        }
    }

    private void left(Job job) {
        planner.left(job);
        replan();
        if (!job.active() && reservations.get(job.id()) != null) {
            domain.capacityFreed = true;
        }
    }
}
