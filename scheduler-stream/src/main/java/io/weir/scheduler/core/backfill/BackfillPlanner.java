package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.BackfillPolicy;
import io.weir.scheduler.core.policy.ReservationPolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AvailabilityProfile;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One walk over the queue in priority order: a job that fits the profile for its whole wallclock limit starts; one that
 * does not gets the earliest slot reserved while the depth lasts. Depth 1 is EASY backfill (D. Lifka, 1995), unlimited
 * depth is conservative backfill (A. Mu'alem and D. Feitelson, 2001): remade in every pass under CURRENTHIGHEST, kept
 * and compressed under HIGHEST.
 *
 * <p>A pass is complete or continued. As long as jobs only joined the end of the queue and no instant at which the
 * profile steps went by, every job that was passed over before would be passed over again, and every slot would be found
 * again; so only the new jobs are looked at, against the profile the last pass left. A job that did not fit at t1 does
 * not fit at a later t2 before the next step: both windows see the same free processors at their start, and the later
 * one sees all of the rest.
 */
public final class BackfillPlanner {
    /** How long processors of a node that calls itself busy without a job of ours are planned around, in seconds. */
    private static final long BUSY_DELAY_SECONDS = 60;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;

    /** Free processors as the last pass left them, reservations included. */
    private final AvailabilityProfile profile = new AvailabilityProfile();

    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether something other than an append to the queue happened since the last pass. */
    private boolean changed = true;

    /** Jobs at the head of the queue that the last pass looked at and left there. */
    private int walked;

    /** Of these, how many count against the reservation depth. */
    private int ranked;

    /** Under strict order: whether the last pass stopped at a job that could not start. */
    private boolean blocked;

    /** Jobs with a reservation that stands after the last pass. */
    private final Set<String> made = new TreeSet<>();

    private long lastNow = Long.MIN_VALUE;
    private long nextStep = Long.MIN_VALUE;
    private long nextReserved = AvailabilityProfile.NEVER;

    /** Creates a planner over the tables of one cluster. */
    public BackfillPlanner(JobTable jobs, NodeTable nodes, ReservationTable reservations) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.reservations = reservations;
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

    /** Returns the earliest start among the reservations, or {@link AvailabilityProfile#NEVER}. */
    public long nextReserved() {
        return nextReserved;
    }

    /**
     * Runs a pass at {@code now}.
     *
     * @param freed whether capacity came free since the last pass
     */
    public void plan(long now, SitePolicy inForce, boolean freed, PlanActions actions) {
        boolean complete =
                changed || freed || now >= nextStep || jobs.eligibleBetween(lastNow, now) || nodes.busyFree() > 0;
        policy = inForce;
        if (complete) {
            walked = 0;
            ranked = 0;
            blocked = false;
            nextReserved = AvailabilityProfile.NEVER;
            made.clear();
        }
        if (policy.backfill().policy() == BackfillPolicy.NONE) {
            walkInStrictOrder(now, actions);
        } else {
            if (complete) {
                startProfile(now);
                if (policy.reservations().policy() == ReservationPolicy.HIGHEST) {
                    keepReservations(now, freed, actions);
                }
            }
            walk(now, actions);
        }
        if (complete) {
            releaseOthers(actions);
        }
        changed = false;
        lastNow = now;
        nextStep = nextStep(now);
    }

    /** Strictly in order: stops at the first job that cannot start, unless no state of the nodes could ever hold it. */
    private void walkInStrictOrder(long now, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int i = walked;
        while (i < queue.size() && !blocked) {
            Job job = queue.get(i);
            if (eligible(job, now) && job.request().procs() <= nodes.configured()) {
                if (job.request().procs() > nodes.free() || !actions.start(job)) {
                    blocked = true;
                } else if (left(queue, i, job)) {
                    continue;
                }
            }
            i++;
        }
        walked = queue.size();
    }

    /** Walks the jobs not yet looked at, starting or reserving. */
    private void walk(long now, PlanActions actions) {
        JobQueue queue = jobs.queue();
        int depth = policy.reservesForPriority()
                ? policy.reservations().groups().get(0).depth()
                : 0;
        long free = profile.freeAt(now);
        boolean keeping = policy.reservations().policy() == ReservationPolicy.HIGHEST && !made.isEmpty();
        int i = walked;
        while (i < queue.size() && (free > 0 || ranked < depth || keeping)) {
            Job job = queue.get(i);
            if (!eligible(job, now)) {
                i++;
                continue;
            }
            long procs = job.request().procs();
            long walltime = job.request().walltimeSeconds();
            Reservation kept = keeping && made.contains(job.id()) ? reservations.get(job.id()) : null;
            boolean fits = kept != null ? kept.start() <= now : procs <= free && profile.fits(now, walltime, procs);
            if (fits && actions.start(job)) {
                if (kept == null) {
                    profile.take(now, walltime, procs);
                    free -= procs;
                }
                if (left(queue, i, job)) {
                    continue;
                }
            } else if (kept != null && !fits) {
                ranked++;
                nextReserved = Math.min(nextReserved, kept.start());
            } else if (ranked < depth || kept != null) {
                if (kept != null) {
                    profile.giveBack(kept.start(), walltime, procs);
                }
                long start = profile.earliest(fits ? now + 1 : now, walltime, procs);
                if (start != AvailabilityProfile.NEVER) {
                    ranked++;
                    reserve(job, start, actions);
                    nextReserved = Math.min(nextReserved, start);
                } else {
                    made.remove(job.id());
                }
                free = profile.freeAt(now);
            }
            i++;
        }
        walked = queue.size();
    }

    /** Sets the profile to what the running jobs leave free from {@code now} on. */
    private void startProfile(long now) {
        profile.reset(now, nodes.free());
        long busyUntil = nodes.busyFree() > 0 ? now + BUSY_DELAY_SECONDS : AvailabilityProfile.NEVER;
        for (Job job : jobs.active()) {
            long end = Math.max(job.limitEnd(), now + 1);
            if (end >= busyUntil) {
                profile.append(busyUntil, nodes.busyFree());
                busyUntil = AvailabilityProfile.NEVER;
            }
            profile.append(end, nodes.plannable(job.shares(), job.request().procs()));
        }
        if (busyUntil != AvailabilityProfile.NEVER) {
            profile.append(busyUntil, nodes.busyFree());
        }
    }

    /**
     * Puts the reservations of the last pass into the profile. When capacity came free each job in queue order gives up
     * its slot and takes its earliest one. When a slot has passed or no longer holds, all are placed anew.
     */
    private void keepReservations(long now, boolean freed, PlanActions actions) {
        List<Job> holders = new ArrayList<>();
        boolean intact = true;
        JobQueue queue = jobs.queue();
        for (int i = 0, n = reservations.size() == 0 ? 0 : queue.size(); i < n; i++) {
            Job job = queue.get(i);
            Reservation kept = reservations.get(job.id());
            if (kept == null || !eligible(job, now)) {
                continue;
            }
            intact &= kept.start() >= now
                    && kept.procs() == job.request().procs()
                    && kept.end() - kept.start() == job.request().walltimeSeconds();
            profile.take(kept.start(), kept.end() - kept.start(), kept.procs());
            holders.add(job);
            made.add(job.id());
        }
        if (!intact || profile.overcommitted()) {
            startProfile(now);
            for (Job job : holders) {
                place(job, now, actions);
            }
        } else if (freed) {
            for (Job job : holders) {
                Reservation kept = reservations.get(job.id());
                if (kept != null) {
                    profile.giveBack(kept.start(), kept.end() - kept.start(), kept.procs());
                    place(job, now, actions);
                }
            }
        }
    }

    private void place(Job job, long now, PlanActions actions) {
        long start = profile.earliest(
                now, job.request().walltimeSeconds(), job.request().procs());
        if (start == AvailabilityProfile.NEVER) {
            made.remove(job.id());
        } else {
            reserve(job, start, actions);
        }
    }

    private void reserve(Job job, long start, PlanActions actions) {
        profile.take(start, job.request().walltimeSeconds(), job.request().procs());
        made.add(job.id());
        actions.reserve(job, start);
    }

    /** Gives up every reservation that this complete pass neither kept nor made. */
    private void releaseOthers(PlanActions actions) {
        if (reservations.size() == made.size()) {
            return;
        }
        for (Reservation reservation : List.copyOf(reservations.all())) {
            if (!made.contains(reservation.jobId())) {
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

    private static boolean eligible(Job job, long now) {
        return job.notBefore() <= now;
    }

    /** Returns whether {@code job} has left its place in the queue; in MODE MONITOR a started job stays. */
    private boolean left(JobQueue queue, int position, Job job) {
        made.remove(job.id());
        return position >= queue.size() || !queue.get(position).id().equals(job.id());
    }
}
