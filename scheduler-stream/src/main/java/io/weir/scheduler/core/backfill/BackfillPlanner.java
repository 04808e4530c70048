package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.policy.BackfillPolicy;
import io.weir.scheduler.core.policy.PriorityWeight;
import io.weir.scheduler.core.policy.ReservationPolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AvailabilityProfile;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the queue in priority order: a job that fits the plan for its whole wallclock limit starts; one that does
 * not gets the earliest slot reserved while the depth of its group lasts. Depth 1 is EASY backfill (D. Lifka, 1995),
 * unlimited depth is conservative backfill (A. Mu'alem and D. Feitelson, 2001): remade in every pass under
 * CURRENTHIGHEST, kept and compressed under HIGHEST. BESTFIT and GREEDY stop the walk once the first blocked jobs have
 * their reservations, and fill what is idle then by {@link WindowFilling}.
 *
 * <p>A pass is complete or continued. As long as jobs only joined the end of the queue and no instant at which the plan
 * steps went by, every job that was passed over before would be passed over again, and every slot would be found again;
 * so only the new jobs are looked at, against the plan the last pass left. A job that did not fit at t1 does not fit at a
 * later t2 before the next step: both windows see the same free resources at their start, and the later one sees all of
 * the rest. A slot may be chosen otherwise, though for no other time, where the choice looks at what else is free: after a
 * start behind such a slot the next pass is complete. So is every pass while nodes are kept for a job whose start was
 * refused, for these are kept from now on, whenever that is.
 *
 * <p>What is free is counted where any processor is as good as any other, and followed node by node everywhere else.
 */
public final class BackfillPlanner {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;
    private final ReservationAccess access;
    private final Placement placement;
    private final ProcessorCountPlan counted;
    private final NodePlan byNode;

    /** What is free, as the last pass left it, reservations included. */
    private ResourcePlan plan;

    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether processors are counted where that is exact. */
    private boolean counting = true;

    /** Whether something other than an append to the queue happened since the last pass. */
    private boolean changed = true;

    /** Jobs at the head of the queue that the last pass looked at and left there. */
    private int walked;

    /** Jobs that could not start in this pass. */
    private int passedOver;

    /** Places of the reservation groups taken so far. */
    private ReservationDepths depths;

    /** What becomes of the priority reservations of each partition's jobs. */
    private PartitionRules rules;

    /** Under strict order: whether the last pass stopped at a job that could not start. */
    private boolean blocked;

    private final ReservedSlots slots;
    private final RetainedReservations retained;

    /** Whether a job was passed over that might be planned otherwise once others have taken of what it leaves. */
    private boolean restless;

    /** Whether a job started behind such a job. */
    private boolean overtaken;

    /** Whether a job passed over in this pass was found impossible; it counts no longer when it is deferred. */
    private boolean withdrawn;

    /** Jobs passed over while bypasses count, and how many jobs had started before each. */
    private final BypassCounter bypasses = new BypassCounter();

    /** Until when room that came free is kept for wide jobs, epoch seconds. */
    private long chunkEnd = Long.MIN_VALUE;

    private long lastNow = Long.MIN_VALUE;
    private long nextStep = Long.MIN_VALUE;
    private long nextReserved = AvailabilityProfile.NEVER;

    /** Creates a planner over the tables of one cluster that takes nodes by the tightest fit. */
    public BackfillPlanner(JobTable jobs, NodeTable nodes, ReservationTable reservations, ReservationAccess access) {
        this(jobs, nodes, reservations, access, new PlainPlacement(nodes));
    }

    /** Creates a planner over the tables of one cluster. */
    public BackfillPlanner(
            JobTable jobs,
            NodeTable nodes,
            ReservationTable reservations,
            ReservationAccess access,
            Placement placement) {
        this.access = access;
        this.jobs = jobs;
        this.nodes = nodes;
        this.reservations = reservations;
        this.placement = placement;
        slots = new ReservedSlots(jobs, reservations);
        retained = new RetainedReservations(jobs, reservations, slots);
        counted = new ProcessorCountPlan(jobs, nodes);
        byNode = new NodePlan(jobs, nodes, access, placement);
        plan = counted;
        rules = new PartitionRules(policy, nodes);
        depths = new ReservationDepths(policy, rules);
    }

    /** Puts a policy in force; the next pass is a complete one. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        byNode.nodeSets().configure(inForce);
        changed = true;
    }

    /** Says that the next pass has to be a complete one. */
    public void invalidate() {
        changed = true;
    }

    /** Follows nodes one by one from now on, even where counting would do; decisions are the same either way. */
    public void followNodes() {
        counting = false;
    }

    /** Says that {@code job} joined the queue. */
    public void joined(Job job) {
        if (jobs.queue().position(job) < walked) {
            changed = true;
        }
    }

    /** Says that the queue was put in another order from position {@code first} on. */
    public void reordered(int first) {
        if (first < walked) {
            changed = true;
        }
    }

    /** Says in which partition the last job started that could start in several; null for none. */
    public void lastStarted(@Nullable String partition) {
        byNode.partitions().lastStarted(partition);
    }

    /** Keeps room that came free for wide jobs until {@code end}: BFCHUNKDURATION and BFCHUNKSIZE. */
    public void chunkUntil(long end) {
        chunkEnd = end;
    }

    /** Returns what keeps jobs inside node sets. */
    public NodeSets nodeSets() {
        return byNode.nodeSets();
    }

    /** Returns whether a job that has to run inside a node set is more than the sets could ever hold. */
    public boolean forbiddenBySets(Job job) {
        return plan.forbiddenBySets(job);
    }

    /** Returns the earliest start among the reservations, or {@link AvailabilityProfile#NEVER}. */
    public long nextReserved() {
        return nextReserved;
    }

    /** Returns what is free from {@code now} on, to ask about; the next pass starts anew where it followed nodes. */
    public StartEstimator startEstimator(long now) {
        byNode.reset(now, policy);
        changed |= plan == byNode;
        return new StartEstimator(byNode, jobs, reservations, now);
    }

    /**
     * Runs a pass at {@code now} under the policy in force.
     *
     * @param freed whether capacity came free since the last pass
     */
    public void plan(long now, boolean freed, PlanActions actions) {
        boolean retrying = retained.retrying();
        boolean countable =
                counting && !retrying && access.open() && UniformClusterCheck.countable(jobs, nodes, policy);
        boolean complete = changed
                || retrying
                || freed
                || now >= nextStep
                || (lastNow < chunkEnd && now >= chunkEnd)
                || jobs.eligibleBetween(lastNow, now)
                || nodes.busyFree() > 0
                || countable != (plan == counted)
                || (!countable && (!placement.settled() || plan.stale(now)));
        if (complete) {
            plan = countable ? counted : byNode;
            plan.reset(now, policy);
            rules = new PartitionRules(policy, nodes);
            depths = new ReservationDepths(policy, rules);
            bypasses.begin(policy.priority().weight(PriorityWeight.BYPASSWEIGHT) != 0);
            walked = 0;
            passedOver = 0;
            blocked = false;
            restless = false;
            overtaken = false;
            withdrawn = false;
            nextReserved = AvailabilityProfile.NEVER;
            slots.clear();
            retained.holdForRetries(plan, policy, now, actions);
        } else {
            plan.resume(now);
        }
        int lastDue = lastDue(now, actions);
        if (policy.backfill().policy() == BackfillPolicy.NONE) {
            walkInStrictOrder(now, actions);
        } else {
            if (complete && (rules.any(ReservationPolicy.HIGHEST) || !jobs.due().isEmpty())) {
                retained.keep(plan, policy, rules, now, freed, actions);
            }
            walk(now, freed, lastDue, actions);
        }
        slots.name(plan, actions);
        if (complete) {
            slots.releaseOthers(actions);
        }
        bypasses.report(actions);
        changed = filling() || lastDue >= 0 || placement.personal() || overtaken || withdrawn;
        lastNow = now;
        nextStep = nextStep(now);
    }

    /** Strictly in order: stops at the first job that cannot start, unless no state of the nodes could ever hold it. */
    private void walkInStrictOrder(long now, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int i = walked;
        while (i < queue.size() && !blocked) {
            Job job = queue.get(i);
            actions.considering(job);
            if (eligible(job, now)) {
                Slot held = slots.retried(job);
                Slot slot = held != null ? held : plan.now(job);
                if (slot != null && held == null && actions.awaited(job)) {
                    plan.take(slot);
                    blocked = true;
                } else if (slot != null && actions.start(job, slot.shares(), false)) {
                    if (held == null) {
                        plan.take(slot);
                    }
                    if (left(queue, i, job)) {
                        continue;
                    }
                } else if (plan.possible(job)) {
                    blocked = true;
                } else {
                    actions.impossible(job);
                }
            }
            i = after(queue, i, job);
        }
        walked = queue.size();
    }

    /** Walks the jobs not yet looked at, starting or reserving. */
    private void walk(long now, boolean freed, int lastDue, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int limit = policy.backfill().depth() == 0
                ? Integer.MAX_VALUE
                : policy.backfill().depth();
        boolean keeping = (rules.any(ReservationPolicy.HIGHEST) && !slots.isEmpty()) || slots.retries();
        WindowFilling rest = filling() ? new WindowFilling(plan, policy.backfill()) : null;
        boolean skimming = !bypasses.counting();
        int i = walked;
        while (i < queue.size() && (!plan.exhausted() || depths.open() || keeping || i <= lastDue)) {
            if (skimming && outOfReach(queue, i)) {
                passedOver += queue.columns().notBefore(queue.row(i)) <= now ? 1 : 0;
                i++;
                continue;
            }
            Job job = queue.get(i);
            actions.considering(job);
            if (!eligible(job, now)) {
                i++;
                continue;
            }
            boolean due = job.inTime(now);
            Slot retry = slots.retried(job);
            Slot held = retry != null ? retry : keeping || due ? slots.of(job) : null;
            if (freed && due && held != null && retry == null && slides(job, held, now)) {
                plan.giveBack(held);
                held = null;
            }
            if (held == null && passedOver > limit && !due) {
                passedOver++;
                i++;
                continue;
            }
            boolean mayStart = held != null
                    || passedOver == 0
                    || ((rest == null || due) && !neverAhead(job) && !tooNarrow(job, now));
            Slot fits = held != null ? held.start() <= now ? held : null : plan.now(job);
            if (fits != null && mayStart && held == null && actions.awaited(job)) {
                plan.take(fits);
            } else if (fits != null && mayStart && actions.start(job, fits.shares(), passedOver > 0)) {
                if (held == null) {
                    plan.take(fits);
                }
                bypasses.started();
                overtaken |= restless;
                if (left(queue, i, job)) {
                    continue;
                }
            } else if (retry != null) {
                passedOver++;
            } else if (fits != null && held == null && rest != null && !due && !neverAhead(job)) {
                rest.add(job);
            } else {
                passedOver++;
                int group = depths.group(job);
                boolean reserves = held != null || due || depths.open(group);
                if (held != null && fits == null) {
                    rank(job, held, group);
                } else if (reserves) {
                    if (held != null) {
                        plan.giveBack(held);
                    }
                    boolean stays = held != null && rules.of(job) == ReservationPolicy.HIGHEST;
                    reserveEarliest(job, fits != null ? now + 1 : now, group, stays, actions);
                } else if (rest != null) {
                    // What fills windows is not walked over again.
                } else if (!plan.possible(job)) {
                    impossible(job, actions);
                } else if (fits == null) {
                    plan.fillColumns(job, queue.columns(), queue.row(i));
                }
                restless |= plan.restless(job, slots.of(job) != null);
                bypasses.passed(job, (reserves || keeping) && slots.of(job) != null);
            }
            i = after(queue, i, job);
        }
        walked = queue.size();
        if (rest != null) {
            rest.fill(actions, job -> bypasses.started());
            walked = 0;
        }
    }

    /** Says that nothing could ever hold {@code job}, which may take it from among those that the next job overtakes. */
    private void impossible(Job job, PlanActions actions) {
        actions.impossible(job);
        withdrawn = true;
    }

    /** Returns whether a reservation that is kept for a deadline alone may now begin earlier. */
    private boolean slides(Job job, Slot retained, long now) {
        return retained.start() > now && rules.of(job) != ReservationPolicy.HIGHEST;
    }

    /** Returns whether the job at {@code position} is known to get neither a start nor a reservation just now. */
    private boolean outOfReach(JobQueue queue, int position) {
        return plan.outOfReach(queue.columns(), queue.row(position)) && depths.closed(queue, position);
    }

    /** Returns whether windows are filled after the walk; such a pass cannot be continued. */
    private boolean filling() {
        return policy.backfill().policy() == BackfillPolicy.BESTFIT
                || policy.backfill().policy() == BackfillPolicy.GREEDY;
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

    /**
     * Reserves the earliest slot of a job that has a right to one: in time for its deadline, by a place of its group, or
     * because its reservation {@code stays}.
     */
    private void reserveEarliest(Job job, long from, int group, boolean stays, PlanActions actions) {
        Slot slot = plan.earliest(job, from);
        if (slot == null) {
            slots.remove(job);
            if (!plan.possible(job)) {
                impossible(job, actions);
            }
            return;
        }
        boolean inTime = job.inTime(slot.start());
        if (inTime || stays || depths.open(group)) {
            rank(job, slot, group);
            slots.reserve(plan, job, slot, actions);
        } else {
            slots.remove(job);
        }
        if (!inTime && job.deadline() != Job.NONE) {
            actions.late(job, slot.start());
        }
    }

    /** Counts a reservation that stands; one in time for a deadline takes no place of its group. */
    private void rank(Job job, Slot slot, int group) {
        if (!job.inTime(slot.start())) {
            depths.take(group);
        }
        nextReserved = Math.min(nextReserved, slot.start());
    }

    /** Returns the first instant after {@code now} at which a job that waits could fit though nothing happens. */
    private long nextStep(long now) {
        long step = nextReserved;
        if (!jobs.active().isEmpty()) {
            step = Math.min(step, Math.max(jobs.active().first().limitEnd(), now + 1));
        }
        return step;
    }

    /** Returns whether the job's quality of service keeps it from starting before one that waits ahead of it. */
    private boolean neverAhead(Job job) {
        String qos = job.qos();
        return qos != null && !policy.qos().isEmpty() && policy.qos(qos).flags().contains("NOBF");
    }

    /** Returns whether room is just now kept for wider jobs than this one. */
    private boolean tooNarrow(Job job, long now) {
        return now < chunkEnd && job.request().procs() < policy.backfill().chunkProcs();
    }

    private static boolean eligible(Job job, long now) {
        return job.notBefore() <= now;
    }

    /** Returns the position of the job behind {@code job}, which may have left the queue. */
    private static int after(JobQueue queue, int position, Job job) {
        if (position >= queue.size()) {
            return position;
        }
        Job there = queue.get(position);
        return there == job || there.id().equals(job.id()) ? position + 1 : position;
    }

    /** Returns whether {@code job} has left its place in the queue; in MODE MONITOR a started job stays. */
    private boolean left(JobQueue queue, int position, Job job) {
        slots.remove(job);
        return position >= queue.size() || !queue.get(position).id().equals(job.id());
    }
}
