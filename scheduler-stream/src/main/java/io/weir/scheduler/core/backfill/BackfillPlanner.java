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
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * the rest.
 *
 * <p>What is free is counted where any processor is as good as any other, and followed node by node everywhere else.
 */
public final class BackfillPlanner {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;
    private final ReservationAccess access;
    private final Placement placement;
    private final CountedPlan counted;
    private final NodePlan byNode;

    /** What is free, as the last pass left it, reservations included. */
    private ResourcePlan plan;

    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether something other than an append to the queue happened since the last pass. */
    private boolean changed = true;

    /** Jobs at the head of the queue that the last pass looked at and left there. */
    private int walked;

    /** Jobs that could not start in this pass. */
    private int passedOver;

    /** Places of the reservation groups taken so far. */
    private GroupRanks ranks;

    /** What becomes of the priority reservations of each partition's jobs. */
    private PartitionRules rules;

    /** Under strict order: whether the last pass stopped at a job that could not start. */
    private boolean blocked;

    /** Slots of the jobs with a reservation that stands after the last pass. */
    private final SortedMap<String, Slot> made = new TreeMap<>();

    /** Jobs passed over while bypasses count, and how many jobs had started before each. */
    private final Bypasses bypasses = new Bypasses();

    /** Slots of jobs whose start was refused and is tried again on the same nodes. */
    private final SortedMap<String, Slot> retries = new TreeMap<>();

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
        counted = new CountedPlan(jobs, nodes);
        byNode = new NodePlan(jobs, nodes, access, placement);
        plan = counted;
        rules = new PartitionRules(policy, nodes);
        ranks = new GroupRanks(policy, rules);
    }

    /** Says that the next pass has to be a complete one; needed, too, when another policy comes into force. */
    public void invalidate() {
        changed = true;
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

    /** Puts {@code inForce} in force for the next pass and for questions asked before it. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        byNode.nodeSets().configure(inForce);
        changed = true;
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
    public WhatIf whatIf(long now) {
        byNode.reset(now, policy);
        changed |= plan == byNode;
        return new WhatIf(byNode, jobs, reservations, now);
    }

    /**
     * Runs a pass at {@code now}.
     *
     * @param freed whether capacity came free since the last pass
     */
    public void plan(long now, SitePolicy inForce, boolean freed, PlanActions actions) {
        policy = inForce;
        boolean countable = !retrying() && access.open() && Countable.countable(jobs, nodes, policy);
        boolean complete = changed
                || freed
                || now >= nextStep
                || (lastNow < chunkEnd && now >= chunkEnd)
                || jobs.eligibleBetween(lastNow, now)
                || nodes.busyFree() > 0
                || countable != (plan == counted)
                || (!countable && (!placement.settled() || plan.stale()));
        if (complete) {
            plan = countable ? counted : byNode;
            plan.reset(now, policy);
            rules = new PartitionRules(policy, nodes);
            ranks = new GroupRanks(policy, rules);
            bypasses.begin(policy.priority().weight(PriorityWeight.BYPASSWEIGHT) != 0);
            walked = 0;
            passedOver = 0;
            blocked = false;
            nextReserved = AvailabilityProfile.NEVER;
            made.clear();
            holdForRetries(now, actions);
        } else {
            plan.resume(now);
        }
        if (policy.backfill().policy() == BackfillPolicy.NONE) {
            walkInStrictOrder(now, actions);
        } else {
            if (complete && rules.any(ReservationPolicy.HIGHEST)) {
                keepReservations(now, freed, actions);
            }
            walk(now, actions);
        }
        nameNodes(actions);
        if (complete) {
            releaseOthers(actions);
        }
        bypasses.report(actions);
        changed = filling() || placement.personal();
        lastNow = now;
        nextStep = nextStep(now);
    }

    /** Returns whether the nodes of a job are kept although its start was refused. */
    private boolean retrying() {
        for (Reservation reservation : reservations.all()) {
            Job job = jobs.get(reservation.jobId());
            if (job != null && job.refusedSince() != Job.NONE) {
                return true;
            }
        }
        return false;
    }

    /** Keeps, before anybody else is looked at, the nodes of jobs whose start was refused. */
    private void holdForRetries(long now, PlanActions actions) {
        retries.clear();
        for (Reservation reservation : List.copyOf(reservations.all())) {
            Job job = jobs.get(reservation.jobId());
            if (job == null || !job.waiting() || job.refusedSince() == Job.NONE) {
                continue;
            }
            String qos = job.qos();
            long hold = policy.reservations().retrySeconds(qos == null ? "" : qos);
            Slot slot = now < job.refusedSince() + hold ? plan.reserved(job, reservation) : null;
            if (slot == null) {
                actions.retryExpired(job);
            } else {
                Slot held = slot.at(now);
                plan.take(held);
                retries.put(job.id(), held);
                made.put(job.id(), held);
            }
        }
    }

    /** Strictly in order: stops at the first job that cannot start, unless no state of the nodes could ever hold it. */
    private void walkInStrictOrder(long now, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int i = walked;
        while (i < queue.size() && !blocked) {
            Job job = queue.get(i);
            if (eligible(job, now)) {
                Slot held = retries.get(job.id());
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
    private void walk(long now, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int limit = policy.backfill().depth() == 0
                ? Integer.MAX_VALUE
                : policy.backfill().depth();
        boolean keeping = (rules.any(ReservationPolicy.HIGHEST) && !made.isEmpty()) || !retries.isEmpty();
        WindowFilling rest = filling() ? new WindowFilling(plan, policy.backfill()) : null;
        int i = walked;
        while (i < queue.size() && (!plan.exhausted() || ranks.open() || keeping)) {
            Job job = queue.get(i);
            if (!eligible(job, now)) {
                i++;
                continue;
            }
            Slot retry = retries.isEmpty() ? null : retries.get(job.id());
            Slot kept = retry != null ? retry : keeping ? made.get(job.id()) : null;
            if (kept == null && passedOver > limit) {
                passedOver++;
                i++;
                continue;
            }
            boolean mayStart =
                    kept != null || passedOver == 0 || (rest == null && !neverAhead(job) && !tooNarrow(job, now));
            Slot fits = kept != null ? kept.start() <= now ? kept : null : plan.now(job);
            if (fits != null && mayStart && kept == null && actions.awaited(job)) {
                plan.take(fits);
            } else if (fits != null && mayStart && actions.start(job, fits.shares(), passedOver > 0)) {
                if (kept == null) {
                    plan.take(fits);
                }
                bypasses.started();
                if (left(queue, i, job)) {
                    continue;
                }
            } else if (retry != null) {
                passedOver++;
            } else if (fits != null && kept == null && rest != null && !neverAhead(job)) {
                rest.add(job);
            } else {
                passedOver++;
                int group = ranks.group(job);
                boolean reserves = kept != null || ranks.open(group);
                if (kept != null && fits == null) {
                    ranks.take(group);
                    nextReserved = Math.min(nextReserved, kept.start());
                } else if (reserves) {
                    if (kept != null) {
                        plan.giveBack(kept);
                    }
                    reserveEarliest(job, fits != null ? now + 1 : now, group, actions);
                } else if (rest == null && !plan.possible(job)) {
                    actions.impossible(job);
                }
                bypasses.passed(job, (reserves || keeping) && made.containsKey(job.id()));
            }
            i = after(queue, i, job);
        }
        walked = queue.size();
        if (rest != null) {
            rest.fill(actions, job -> bypasses.started());
            walked = 0;
        }
    }

    /** Returns whether windows are filled after the walk; such a pass cannot be continued. */
    private boolean filling() {
        return policy.backfill().policy() == BackfillPolicy.BESTFIT
                || policy.backfill().policy() == BackfillPolicy.GREEDY;
    }

    private void reserveEarliest(Job job, long from, int group, PlanActions actions) {
        Slot slot = plan.earliest(job, from);
        if (slot != null) {
            ranks.take(group);
            reserve(job, slot, actions);
            nextReserved = Math.min(nextReserved, slot.start());
        } else {
            made.remove(job.id());
            if (!plan.possible(job)) {
                actions.impossible(job);
            }
        }
    }

    private @Nullable Slot kept(Job job) {
        Reservation reservation = reservations.get(job.id());
        return reservation == null ? null : plan.reserved(job, reservation);
    }

    /**
     * Puts the reservations of the last pass into the plan. When capacity came free each job in queue order gives up its
     * slot and takes its earliest one. When a slot has passed or no longer holds, all are placed anew.
     */
    private void keepReservations(long now, boolean freed, PlanActions actions) {
        List<Job> holders = new ArrayList<>();
        boolean intact = true;
        JobQueue queue = jobs.queue();
        for (int i = 0, n = reservations.size() == 0 ? 0 : queue.size(); i < n; i++) {
            Job job = queue.get(i);
            if (reservations.get(job.id()) == null
                    || retries.containsKey(job.id())
                    || rules.of(job) != ReservationPolicy.HIGHEST
                    || !eligible(job, now)) {
                continue;
            }
            Slot kept = kept(job);
            if (kept == null || kept.start() < now) {
                intact = false;
            } else {
                plan.take(kept);
                made.put(job.id(), kept);
            }
            holders.add(job);
        }
        if (!intact || plan.overcommitted()) {
            plan.reset(now, policy);
            retries.values().forEach(plan::take);
            for (Job job : holders) {
                place(job, now, actions);
            }
        } else if (freed) {
            for (Job job : holders) {
                Slot kept = made.get(job.id());
                if (kept != null) {
                    plan.giveBack(kept);
                    place(job, now, actions);
                }
            }
        }
    }

    private void place(Job job, long now, PlanActions actions) {
        Slot slot = plan.earliest(job, now);
        if (slot == null) {
            made.remove(job.id());
        } else {
            reserve(job, slot, actions);
        }
    }

    private void reserve(Job job, Slot slot, PlanActions actions) {
        plan.take(slot);
        made.put(job.id(), slot);
        if (!plan.namesLate()) {
            actions.reserve(job, slot.start(), slot.shares());
        }
    }

    /** Reserves what was planned in this pass, where nodes are named when all is planned. */
    private void nameNodes(PlanActions actions) {
        if (!plan.namesLate()) {
            return;
        }
        SortedMap<String, Slot> slots = new TreeMap<>(made);
        slots.keySet().removeAll(retries.keySet());
        for (Map.Entry<String, Slot> named : plan.named(slots, retries.values()).entrySet()) {
            Job job = jobs.get(named.getKey());
            if (job != null) {
                actions.reserve(job, named.getValue().start(), named.getValue().shares());
            }
        }
    }

    /** Gives up every reservation that this complete pass neither kept nor made. */
    private void releaseOthers(PlanActions actions) {
        if (reservations.size() == made.size()) {
            return;
        }
        for (Reservation reservation : List.copyOf(reservations.all())) {
            if (!made.containsKey(reservation.jobId())) {
                actions.release(reservation.jobId());
            }
        }
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
        made.remove(job.id());
        return position >= queue.size() || !queue.get(position).id().equals(job.id());
    }
}
