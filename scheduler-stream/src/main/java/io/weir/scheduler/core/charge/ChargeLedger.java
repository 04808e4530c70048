package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.state.ChargeRun;
import io.weir.schemas.Charge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts what jobs hold and what reservations keep unused, and makes charges of it: some while they last, the last one at
 * the end. What a charge says is the difference to those before it, so that they add up to the total whatever the rates
 * are; a difference below zero gives back. Charges wait here until an iteration publishes them. Owned by the core's thread.
 */
public final class ChargeLedger {
    private final String cluster;
    private final NodeTable nodes;
    private final ChargedRuns runs;
    private final PendingCharges pending = new PendingCharges();
    private final Refunds refunds;
    private final JobCharges jobCharges;
    private final ReservationCharges reservationCharges;
    private ChargeTerms terms;

    /** Keeps the ledger of {@code cluster}, on {@code nodes}. */
    public ChargeLedger(String cluster, NodeTable nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
        terms = ChargeTerms.off(cluster, nodes);
        SuspectNodes suspects = new SuspectNodes();
        runs = new ChargedRuns(cluster, suspects);
        refunds = new Refunds(nodes, runs, suspects, pending, terms);
        jobCharges = new JobCharges(runs, pending, refunds, terms);
        reservationCharges = new ReservationCharges(runs, pending, terms);
    }

    /** Asks {@code aside} which nodes only look down because the scheduler set them aside. */
    public void settingAside(Predicate<String> aside) {
        refunds.settingAside(aside);
    }

    /** Goes by {@code policy} from now on; what was used before {@code from}, epoch seconds, is not charged. */
    public void configure(SitePolicy policy, long from) {
        terms = new ChargeTerms(cluster, policy.charging(), from, new Tariff(policy, nodes));
        refunds.configure(terms);
        jobCharges.configure(terms);
        reservationCharges.configure(terms);
    }

    /** Returns whether anything is charged. */
    public boolean on() {
        return terms.settings().on();
    }

    /** Returns whether somebody answers for what {@code reservation} keeps unused. */
    public static boolean isCharged(AdministrativeReservation reservation) {
        return ReservationCharges.isCharged(reservation);
    }

    /**
     * There is an allocation manager from {@code now} on: what lasts is charged from then on, not for what it used before.
     *
     * @param running jobs that hold something
     * @param counted reservations that others answer for, counted up to {@code now}
     */
    public void begin(Collection<Job> running, List<AdministrativeReservation> counted, long now) {
        jobCharges.begin(running, now);
        reservationCharges.begin(counted, now);
    }

    /**
     * There is no allocation manager any more: what lasts is charged up to {@code now}, and remembered in case there is one
     * again, so that nothing is charged twice.
     */
    public void suspend(
            Function<String, @Nullable Job> jobs,
            Function<String, @Nullable AdministrativeReservation> counted,
            long now) {
        for (ChargedRun run : runs.all()) {
            runs.reschedule(run, ChargedRun.NEVER);
            if (run.isOfJob()) {
                Job job = run.isPast ? null : jobs.apply(run.objectId);
                if (job != null && job.active() && job.start() == run.start) {
                    jobCharges.suspend(run, job, now);
                }
            } else {
                AdministrativeReservation reservation = counted.apply(run.objectId);
                if (reservation != null) {
                    reservationCharges.suspend(run, reservation);
                }
            }
        }
    }

    /** Counts the jobs that run up to {@code now}, before other rates are in force. */
    public void count(Function<String, @Nullable Job> jobs, long now) {
        for (ChargedRun run : runs.all()) {
            Job job = run.isOfJob() && !run.isPast ? jobs.apply(run.objectId) : null;
            if (job != null && job.active() && job.start() == run.start) {
                jobCharges.count(run, job, now);
            }
        }
    }

    /** A job has another version, {@code before} being null for a new one; what it held is counted up to {@code now}. */
    public void job(@Nullable Job before, Job after, long now) {
        if (on() && (after.active() || (before != null && before.active()))) {
            jobCharges.changed(before, after, now);
        }
    }

    /** A node has another version: where it is down now, it ended the runs that failed a moment ago and had it. */
    public void node(@Nullable Node before, Node after, Function<String, @Nullable Job> jobs) {
        refunds.node(before, after, jobs);
    }

    /**
     * The resource manager {@code connector} was asked for everything: nodes that are up still after a poll that began when the
     * end of a run was known did not end it.
     */
    public void polled(String connector, Function<String, @Nullable Job> jobs) {
        refunds.polled(connector, jobs);
    }

    /** A job is removed for good; what came of its last run was kept until now, lest it go on or another begin at its start. */
    public void gone(String jobId) {
        runs.forgetJob(jobId);
    }

    /** A reservation is in force in another version; those without accountable credentials are not charged. */
    public void reservation(AdministrativeReservation reservation) {
        if (on()) {
            reservationCharges.changed(reservation);
        }
    }

    /** A reservation, counted up to its end, is over. */
    public void ended(AdministrativeReservation reservation, boolean released) {
        reservationCharges.ended(reservation, released);
    }

    /**
     * What lasts and is to be charged again.
     *
     * @param job the job's id; null when it is a reservation
     * @param reservation the reservation's id; null when it is a job
     */
    public record Due(@Nullable String job, @Nullable String reservation) {}

    /** Returns up to {@code most} of what is to be charged again at {@code now}. */
    public List<Due> takeDue(long now, int most) {
        long first = runs.nextDue();
        if (first == ChargedRun.NEVER || first > now) {
            return List.of();
        }
        List<Due> taken = new ArrayList<>();
        for (long at = first; at != ChargedRun.NEVER && at <= now && taken.size() < most; at = runs.nextDue()) {
            ChargedRun run = runs.firstDue();
            boolean ofJob = run.isOfJob();
            long interval = ofJob
                    ? terms.settings().jobFlushSeconds()
                    : terms.settings().reservationFlushSeconds();
            long missed = interval == 0 ? 0 : (now - run.due) / interval;
            runs.reschedule(run, !on() || interval == 0 ? ChargedRun.NEVER : run.due + (missed + 1) * interval);
            taken.add(ofJob ? new Due(run.objectId, null) : new Due(null, run.objectId));
        }
        return taken;
    }

    /** Charges a job that runs on. */
    public void flush(Job job, long now) {
        if (on()) {
            jobCharges.flush(job, now);
        }
    }

    /** Charges a reservation that lasts, counted up to now. */
    public void flush(AdministrativeReservation reservation) {
        if (on()) {
            reservationCharges.flush(reservation);
        }
    }

    /** Returns what was charged for a reservation so far, in thousandths; 0 for nothing. */
    public long charged(AdministrativeReservation reservation) {
        return reservationCharges.charged(reservation);
    }

    /** Returns up to {@code most} charges that wait, by id; they wait no longer. */
    public List<Charge> takeWaiting(int most) {
        return pending.take(most);
    }

    /** Returns when there is something to do without anything happening, epoch seconds; null for never. */
    public @Nullable Long nextWake(long now) {
        if (!pending.isEmpty()) {
            return now + 1;
        }
        long next = runs.nextDue();
        return next == ChargedRun.NEVER ? null : Long.valueOf(Math.max(now + 1, next));
    }

    /** Returns the ids of stored runs, sorted. */
    public List<String> runIds() {
        return runs.ids();
    }

    /** Returns the ids of the charges that wait, sorted. */
    public List<String> chargeIds() {
        return pending.ids();
    }

    /** Takes over a stored run. */
    public void restore(ChargeRun record) {
        runs.restore(record);
    }

    /** Takes over a charge that waits. */
    public void restore(Charge charge) {
        pending.restore(charge);
    }

    /** Returns a stored run; null when it is over. */
    public @Nullable ChargeRun runRecord(String id) {
        return runs.toRecord(id);
    }

    /** Returns a charge that waits; null when it was published. */
    public @Nullable Charge chargeRecord(String id) {
        return pending.get(id);
    }

    /** Returns the ids of runs that changed since the last call, sorted. */
    public SortedSet<String> drainRuns() {
        return runs.drain();
    }

    /** Returns the ids of charges that changed since the last call, sorted. */
    public SortedSet<String> drainCharges() {
        return pending.drain();
    }
}
