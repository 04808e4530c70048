package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.ResourcePlans;
import io.weir.scheduler.core.plan.StartEstimator;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.PriorityWeight;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.preemption.OwnerRights;
import io.weir.scheduler.core.preemption.PreemptionRights;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the queue of one cluster, pass by pass. A {@link BackfillStrategy} decides which jobs start, which get the earliest
 * slot reserved while the depth of their group lasts, and which wait; a {@link ReservationStrategy} decides which
 * reservations outlast the pass. The planner decides whether a pass is complete or continues the last one. What is decided
 * is carried out at once through {@link PlanActions}, for a start changes what the next job may have.
 *
 * <p>As long as jobs only joined the end of the queue and no instant at which the plan steps went by, every job that was
 * passed over before would be passed over again, and every slot would be found again. So a continued pass looks at the new
 * jobs alone, against the plan the last pass left. A job that did not fit at t1 does not fit at a later t2 before the next
 * step: both intervals see the same free resources at their start, and the later one sees all of the rest. Some cases need a
 * complete pass nevertheless. Where the choice of nodes looks at what else is free, a slot may be chosen otherwise, though
 * for no other time: after a start behind such a slot the next pass is complete. While nodes are kept for a job whose start
 * was refused every pass is complete, because these nodes are kept from now on, whenever that is. So is every pass while a job
 * can still be over by its deadline: for its sake jobs are looked at that are else passed over together. While nodes take no jobs
 * for so long from now on, whenever that is, every pass is complete that does not go on with one that was divided. A job that fits and waits
 * for a node set instead is looked at again when it should have begun there, and one that fits and may not start yet in the next
 * pass, once this one has come to its end. After a start the next pass is complete where jobs wait that have to stay inside
 * reservations, or where something of the nodes is reserved for some, and so is the one in which such a job joins. While jobs of several requirements take turns, or cost much of what
 * they may, every pass is complete, and so is one in which such a job joins.
 *
 * <p>Where many jobs get reservations, a pass is divided into slices of RESERVATIONSLICE searches: what is left is left to the
 * next iteration, which goes on there unless something happened that voids the plan. A job that was not reached does not
 * start, since a job ahead of it may need what is free. {@link PlanProgress} is the part of this that the state remembers; a
 * scheduler that was rebuilt plans as far as it says at once, and decides the same.
 *
 * <p>So is a pass in which so many jobs started that others would wait for it ({@link StartAllowance}), whatever the strategy. It is
 * not continued: the next iteration begins with those ahead that could not start.
 *
 * <p>Free processors are counted where any processor is as good as any other, and followed node by node everywhere else.
 */
public final class BackfillPlanner {
    /** More searches than there can be. */
    private static final int ALL = Integer.MAX_VALUE;

    /** Reservations that a pass which cannot be divided makes at most. */
    private static final int MOST_UNDIVIDED = 10_000;

    /** Reservations that it makes at most while others may be preempted, when every pass begins anew. */
    private static final int MOST_MAKING_ROOM = 1_000;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final ReservationAccess access;
    private final ResourcePlans plans;

    private SitePolicy policy = SitePolicy.DEFAULT;
    private PreemptionRights rights = new PreemptionRights(policy);
    private final OwnerRights owners;
    private BackfillStrategy strategy = BackfillStrategy.of(policy.backfill());

    /** Whether something other than an append to the queue happened since the last pass. */
    private boolean changed = true;

    /** The last complete pass and what continued it; null before the first. */
    private @Nullable PlanningPass pass;

    private int mostUndivided = MOST_UNDIVIDED;
    private int mostMakingRoom = MOST_MAKING_ROOM;

    /** Nodes that the starts of an iteration may look at. */
    private long mostStarts = StartAllowance.MOST;

    private final StartEffort startEffort;
    private final ReservedSlots slots;
    private final RetainedReservations retained;

    /** Until when room that came free is kept for wide jobs, epoch seconds. */
    private long chunkEnd = Long.MIN_VALUE;

    /** Number of the iteration. */
    private long iteration;

    private long lastNow = Long.MIN_VALUE;
    private long nextStep = Long.MIN_VALUE;

    /** When a running job may be preempted that may not now, epoch seconds. */
    private long nextPreemptee = AvailabilityProfile.NEVER;

    /** See {@link Placement#delayed}. */
    private long lastDelayed;

    /** Creates a planner over the tables of one cluster. */
    public BackfillPlanner(
            JobTable jobs,
            NodeTable nodes,
            ReservationTable reservations,
            ReservationAccess access,
            Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        this.access = access;
        owners = new OwnerRights(access);
        slots = new ReservedSlots(jobs, reservations);
        retained = new RetainedReservations(jobs, reservations, slots);
        plans = new ResourcePlans(jobs, nodes, reservations, access, placement);
        startEffort = new StartEffort(jobs, nodes, reservations, placement, access, plans.nodeSets());
    }

    /** Puts a policy in force; the next pass is a complete one. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        rights = new PreemptionRights(inForce);
        markPreemptors();
        strategy = BackfillStrategy.of(inForce.backfill());
        plans.nodeSets().configure(inForce);
        changed = true;
    }

    /** Says that the next pass has to be a complete one. */
    public void invalidate() {
        changed = true;
    }

    /** Follows nodes one by one from now on, even where counting would do; decisions are the same either way. */
    public void followNodes() {
        plans.followNodes();
    }

    private void markPreemptors() {
        for (int i = 0; i < jobs.queue().size(); i++) {
            markPreemptor(jobs.queue().get(i));
        }
    }

    private void markPreemptor(Job job) {
        JobQueue queue = jobs.queue();
        queue.columns().preemptor(queue.row(job), rights.isPreemptor(job) || (rights.enabled() && owners.owns(job)));
    }

    /** Says that {@code job} joined the queue. */
    public void joined(Job job) {
        markPreemptor(job);
        if (jobs.queue().position(job) < seen()
                || job.request().requirements().size() > 1
                || (!access.open(job) && access.confined(job))) {
            changed = true;
        }
    }

    /** Says that {@code job} left the queue; the next pass is a complete one. */
    public void left(Job job) {
        slots.departed(job.id());
        changed = true;
    }

    /** Says that the queue was put in another order from position {@code first} on. */
    public void reordered(int first) {
        if (first < seen()) {
            changed = true;
        }
    }

    /** Says in which partition the last job started that could start in several; null for none. */
    public void lastStarted(@Nullable String partition) {
        plans.lastStarted(partition);
    }

    /** Says which iteration the next pass is of. */
    public void iteration(long number) {
        iteration = number;
    }

    /** Keeps room that came free for wide jobs until {@code end}: BFCHUNKDURATION and BFCHUNKSIZE. */
    public void chunkUntil(long end) {
        chunkEnd = end;
    }

    /** Returns what keeps jobs inside node sets. */
    public NodeSets nodeSets() {
        return plans.nodeSets();
    }

    /** Returns whether a job that has to run inside a node set is more than the sets could ever hold. */
    public boolean forbiddenBySets(Job job) {
        return plan().forbiddenBySets(job);
    }

    /** Returns the earliest start among the reservations, or {@link AvailabilityProfile#NEVER}. */
    public long nextReserved() {
        return pass == null ? AvailabilityProfile.NEVER : pass.nextReserved();
    }

    /** Returns what owners may do in their reservations. */
    public OwnerRights owners() {
        return owners;
    }

    /** Returns who may preempt whom. */
    public PreemptionRights rights() {
        return rights;
    }

    /** Returns when a running job may be preempted that might not in the last pass, or {@link AvailabilityProfile#NEVER}. */
    public long nextPreemptee() {
        return nextPreemptee;
    }

    /** Returns what is free from {@code now} on, to ask about; the next pass starts anew where it followed nodes. */
    public StartEstimator startEstimator(long now) {
        changed |= plans.followsNodes(plan());
        return plans.startEstimator(now, policy);
    }

    /**
     * Runs a pass at {@code now} under the policy in force.
     *
     * @param freed whether capacity came free since the last pass
     * @param progress what the last pass returned; null where something happened since that voids its plan
     * @return how far the plan came, where it takes several iterations; null when it takes one
     */
    public @Nullable PlanProgress plan(long now, boolean freed, @Nullable PlanProgress progress, PlanActions actions) {
        boolean retrying = retained.retrying();
        if (owners.follow()) {
            markPreemptors();
        }
        boolean preempting = rights.on() || (rights.enabled() && owners.any());
        int preemptors = preempting ? jobs.queue().columns().preemptors() : 0;
        boolean contested = preemptors > 0 && actions.preempts();
        boolean makingRoom = contested || retained.makingRoom();
        boolean keeping = retrying || makingRoom;
        ResourcePlan plan = plans.choose(policy, retrying);
        int lastDue = lastDue(now, actions);
        PartitionRules rules = new PartitionRules(policy, nodes);
        int slice = slice(keeping, lastDue, rules);
        PlanProgress before = slice == ALL || freed || progress == null || !proceeds(progress, now) ? null : progress;
        int reach = before == null ? slice : (int) Math.min(ALL, (long) before.searches() + slice);
        int most = most(slice, makingRoom);
        boolean divided = unfinished();
        boolean complete = freed
                || keeping
                || (before == null && divided)
                || lastDue >= 0
                || plan != plan()
                || (pass != null && pass.dependsOnMost(most))
                || outdated(now)
                || beyond(reach);
        RoomMaker rooms = new RoomMaker(nodes, preemptors, contested, iteration);
        PlanningPass.Moment moment =
                new PlanningPass.Moment(now, before, freed, chunkEnd, reach, most, starts(), rooms, actions);
        PlanningPass present = complete ? begin(moment, plan, rules) : resumed(moment);
        present.lastDue(lastDue);
        boolean retains = complete && strategy.retains();
        if (retains && (present.rules().retains() || !jobs.due().isEmpty())) {
            retained.keep(present);
        }
        strategy.plan(present);
        slots.name(present.plan(), actions);
        if (present.cut()) {
            releasePassed(present, before, actions);
        } else if (present.closed() >= 0) {
            slots.releasePassed(Math.min(present.closed(), jobs.queue().size()), now, actions);
        } else if (complete || divided) {
            slots.releaseOthers(actions);
        }
        present.bypasses().report(actions);
        changed = !strategy.resumable()
                || lastDue >= 0
                || placement.personal()
                || present.disturbed()
                || present.startedEnough()
                || present.rooms().made()
                || (!present.cut() && (present.provisional() || delays()))
                || present.turns().several()
                || jobs.furtherRequirements() > SpreadTurns.MOST;
        lastNow = now;
        lastDelayed = placement.delayed();
        nextPreemptee = contested ? actions.nextPreemptee() : AvailabilityProfile.NEVER;
        nextStep = nextStep(now, present);
        return slice == ALL || changed ? null : progress(present, slice);
    }

    private void releasePassed(PlanningPass present, @Nullable PlanProgress before, PlanActions actions) {
        if (before == null) {
            slots.releasePassed(present.firstUnseen(), present.now(), actions);
        } else {
            slots.releasePassed(before.seen(), present.firstUnseen(), actions);
        }
    }

    /** Returns how far the plan came; null where an iteration that begins anew comes as far. */
    private @Nullable PlanProgress progress(PlanningPass present, int slice) {
        int seen = present.firstUnseen();
        return present.cut() || present.searches() > slice
                ? new PlanProgress(
                        seen,
                        jobs.queue().order(seen),
                        present.searches(),
                        present.begun(),
                        lastNow,
                        lastDelayed,
                        nextStep)
                : null;
    }

    /** Has a pass that cannot be divided make {@code undivided} reservations at most, and {@code makingRoom} while others may be preempted. */
    public void limitReservations(int undivided, int makingRoom) {
        mostUndivided = undivided;
        mostMakingRoom = makingRoom;
    }

    /** Lets the starts of an iteration look at no more than {@code most} nodes. */
    public void limitStarts(long most) {
        mostStarts = most;
    }

    /** Returns what may start in an iteration; all, where nothing really starts and the next one would begin with the same jobs. */
    private StartAllowance starts() {
        return new StartAllowance(startEffort, policy.scheduler().mode() == Mode.MONITOR ? Long.MAX_VALUE : mostStarts);
    }

    /** Returns whether jobs that may be able to start were left, as enough started in this iteration. */
    public boolean startedEnough() {
        return unfinished() && pass != null && pass.startedEnough();
    }

    /** Returns whether the last pass left jobs for the next iteration. */
    public boolean unfinished() {
        return pass != null && pass.cut();
    }

    /** Returns how many jobs at the head of the queue are planned; those behind them wait for the next iteration. */
    public int planned() {
        return unfinished() ? seen() : Integer.MAX_VALUE;
    }

    /** Returns how many searches an iteration may add to a plan; {@link #ALL} where a pass cannot be divided. */
    private int slice(boolean keeping, int lastDue, PartitionRules rules) {
        int searches = policy.reservations().slice();
        boolean whole = searches == 0
                || !strategy.divisible()
                || keeping
                || lastDue >= 0
                || placement.personal()
                || !placement.settled()
                || policy.scheduler().mode() == Mode.MONITOR
                || rules.retains()
                || jobs.furtherRequirements() > SpreadTurns.MOST;
        return whole ? ALL : searches;
    }

    /**
     * Returns how many reservations a pass makes at most, so that one that cannot be divided takes neither all the time nor all
     * the memory that there are.
     */
    private int most(int slice, boolean makingRoom) {
        if (slice != ALL || policy.reservations().slice() == 0) {
            return ALL;
        }
        return makingRoom ? mostMakingRoom : mostUndivided;
    }

    /** Returns whether the plan that {@code progress} tells of is still good as far as it goes. */
    private boolean proceeds(PlanProgress progress, long now) {
        JobQueue queue = jobs.queue();
        return now < progress.nextStep()
                && (progress.now() >= chunkEnd || now < chunkEnd)
                && progress.seen() <= queue.size()
                && progress.order() == queue.order(progress.seen())
                && progress.delayed() == placement.delayed()
                && !jobs.eligibleBetween(progress.now(), now);
    }

    /** Returns whether the last pass came farther than {@code reach}. */
    private boolean beyond(int reach) {
        return pass != null && pass.searches() > reach;
    }

    /**
     * Returns whether the plan of the last pass no longer holds at {@code now}. In the last second that there is, what is over
     * its limit ends for one plan in the next second, which for another never comes.
     */
    private boolean outdated(long now) {
        return changed
                || now >= nextStep
                || now >= TimeArgument.FOREVER - 1
                || (lastNow < chunkEnd && now >= chunkEnd)
                || jobs.eligibleBetween(lastNow, now)
                || lastDelayed != placement.delayed()
                || (plans.followsNodes(plan()) && (!placement.settled() || plan().stale(now)));
    }

    /** Returns whether nodes count as unavailable for some time from now on, whenever that is. */
    private boolean delays() {
        return nodes.sums().busyFree() > 0 || nodes.sums().awaitedNodes() > 0 || placement.delayed() != 0;
    }

    /** Begins a complete pass with what the running jobs leave free and what is kept for starts that were refused. */
    private PlanningPass begin(PlanningPass.Moment moment, ResourcePlan plan, PartitionRules rules) {
        plan.reset(moment.now(), moment.begun(), policy);
        ReservationDepths depths = new ReservationDepths(policy, strategy, rules);
        BypassCounter bypasses = new BypassCounter(policy.priority().weight(PriorityWeight.BYPASSWEIGHT) != 0);
        slots.clear();
        PlanningPass begun = new PlanningPass(
                moment,
                policy,
                jobs.queue(),
                plan,
                rules,
                depths,
                slots,
                bypasses,
                new SpreadTurns(jobs.furtherRequirements(), iteration));
        pass = begun;
        retained.holdForRetries(plan, policy, moment.now(), moment.actions());
        retained.holdRooms(plan, moment.now(), moment.actions());
        return begun;
    }

    private PlanningPass resumed(PlanningPass.Moment moment) {
        if (pass == null) {
            throw new IllegalStateException("there is no pass to continue");
        }
        pass.resume(moment);
        return pass;
    }

    /** Returns what is free, as the last pass left it, reservations included. */
    private ResourcePlan plan() {
        return pass == null ? plans.initial() : pass.plan();
    }

    /** Returns how many jobs at the head of the queue the last pass looked at and left there. */
    private int seen() {
        return pass == null ? 0 : pass.firstUnseen();
    }

    /** Returns the position of the last job that can still be over by its deadline; -1 when there is none. */
    private int lastDue(long now, PlanActions actions) {
        int last = -1;
        for (Job job : List.copyOf(jobs.due())) {
            long start = Math.max(now, job.notBefore());
            if (job.inTime(start)) {
                last = Math.max(last, jobs.queue().position(job));
            } else {
                actions.late(job, start);
            }
        }
        return last;
    }

    /** Returns the first instant after {@code now} at which a job that waits could fit though nothing happens. */
    private long nextStep(long now, PlanningPass present) {
        long step = Math.min(present.nextReserved(), present.plan().nextInSet());
        step = Math.min(step, present.plan().withholdsMoreFrom());
        step = Math.min(step, present.plan().nextReturn());
        if (present.plan().confines()) {
            step = Math.min(step, access.nextBoundary(now));
        }
        if (!jobs.active().isEmpty()) {
            step = Math.min(step, Math.max(jobs.active().first().plannedEnd(), now + 1));
        }
        return step;
    }
}
