package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobLabels;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Affinity;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.acl.AccessDecision;
import io.weir.scheduler.core.reservation.acl.AclSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the reservations that are no job's mean for jobs: which nodes they keep from whom, and where they draw or force
 * whom. A job may use reserved resources while every reservation there lets it in. A job that names a reservation,
 * whose quality of service has USERESERVED, or that a list locks in, stays inside.
 *
 * <p>What running jobs of a reservation's users hold there counts against the reservation, not twice. Owned by the core's
 * thread.
 */
public final class ReservationAccess {
    private static final Capacity NOTHING = new Capacity(0, 0, 0, 0);

    private final SiteReservationTable reservations;
    private final NodeTable nodes;
    private final JobTable jobs;
    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether some quality of service confines its jobs to reservations. */
    private boolean confining;

    /** Answers for the tables of one cluster. */
    public ReservationAccess(SiteReservationTable reservations, NodeTable nodes, JobTable jobs) {
        this.reservations = reservations;
        this.nodes = nodes;
        this.jobs = jobs;
    }

    /** Puts a policy in force. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        confining = inForce.qos().values().stream().anyMatch(qos -> qos.usesReserved() != null);
    }

    /** Returns whether no reservation can matter to {@code job}. */
    public boolean open(Job job) {
        return reservations.isEmpty()
                && !job.namesReservation()
                && (!confining || names(job).isEmpty());
    }

    /** Returns whether there is none at all. */
    public boolean open() {
        return reservations.isEmpty();
    }

    /** Returns whether no reservation lies on {@code nodeId}. */
    public boolean open(String nodeId) {
        return reservations.on(nodeId).isEmpty();
    }

    /** Returns a text that is the same for jobs with the same access to every reservation. */
    public String signature(Job job) {
        List<String> names = names(job);
        AclSubject subject = subject(job, names);
        StringBuilder signature = new StringBuilder();
        boolean confined = !names.isEmpty();
        for (SiteReservation reservation : reservations.all()) {
            AccessDecision decision = decide(names, subject, reservation);
            confined |= decision.locked();
            signature.append(!decision.allowed() ? '-' : confines(names, reservation, decision) ? '*' : '+');
        }
        return confined ? "in:" + signature : signature.toString();
    }

    /** Returns a number that changes whenever a {@link #signature} may for another reason than job or policy. */
    public long version() {
        return reservations.version();
    }

    /** Returns what {@code reservation} says about {@code job}. */
    public AccessDecision decide(Job job, SiteReservation reservation) {
        List<String> names = names(job);
        return decide(names, subject(job, names), reservation);
    }

    private static AccessDecision decide(List<String> names, AclSubject subject, SiteReservation reservation) {
        if (reservation.terms().has(ReservationFlag.BYNAME) && names.stream().noneMatch(reservation::goesBy)) {
            return AccessDecision.DENIED;
        }
        return reservation.terms().acl().decide(subject);
    }

    /** Returns whether {@code reservation} lets {@code job} in. */
    public boolean mayUse(Job job, SiteReservation reservation) {
        return decide(job, reservation).allowed();
    }

    /** Returns whether {@code job} has to stay inside reservations: it names one, or is locked in. */
    public boolean confined(Job job) {
        return !names(job).isEmpty()
                || reservations.all().stream().anyMatch(r -> decide(job, r).locked());
    }

    /** Returns how much {@code job} is drawn to {@code nodeId} by the reservations there during [from, to). */
    public Affinity affinity(Job job, String nodeId, long from, long to) {
        Affinity drawn = Affinity.NONE;
        io.weir.scheduler.core.reservation.acl.Affinity all = null;
        for (SiteReservation reservation : reservations.on(nodeId)) {
            if (!reservation.overlaps(from, to)) {
                continue;
            }
            AccessDecision decision = decide(job, reservation);
            if (!decision.allowed()) {
                continue;
            }
            if (confines(job, reservation, decision)) {
                return Affinity.REQUIRED;
            }
            all = all == null ? decision.affinity() : all.and(decision.affinity());
            drawn = switch (all) {
                case POSITIVE -> Affinity.POSITIVE;
                case NEUTRAL -> Affinity.NEUTRAL;
                case NEGATIVE -> Affinity.NEGATIVE;
            };
        }
        return drawn;
    }

    /**
     * Returns the first start after {@code from} at which a job of {@code seconds} may be drawn to other nodes than at
     * {@code from}; {@link TimeArgument#FOREVER} for none.
     */
    public long drawnOtherwise(long from, long seconds) {
        long next = TimeArgument.FOREVER;
        for (SiteReservation reservation : reservations.all()) {
            long meets = reservation.start() - seconds + 1;
            if (meets > from) {
                next = Math.min(next, meets);
            } else if (reservation.end() > from) {
                next = Math.min(next, reservation.end());
            }
        }
        return next;
    }

    /**
     * Returns what reservations keep from {@code job} on the node at {@code position} from {@code now} on, beyond what
     * running jobs hold until the end of their limits. Blocks may overlap; then the amounts add up.
     */
    public List<NodeBlock> blocks(Job job, int position, long now) {
        String nodeId = nodes.at(position).id();
        List<NodeBlock> blocks = new ArrayList<>();
        List<SiteReservation> inside = new ArrayList<>();
        boolean confined = confined(job);
        for (SiteReservation reservation : reservations.on(nodeId)) {
            AccessDecision decision = decide(job, reservation);
            ReservedNode reserved = reservation.on(nodeId);
            if (reserved == null || reservation.end() <= now) {
                continue;
            }
            if (!decision.allowed()) {
                kept(reservation, reserved.amount(), position, now, blocks);
            } else if (confined && confines(job, reservation, decision)) {
                inside.add(reservation);
            }
        }
        if (confined) {
            outside(inside, position, now, blocks);
        }
        return blocks;
    }

    /** Returns the traits of {@code job} that access control lists look at. */
    public AclSubject subject(Job job) {
        return subject(job, names(job));
    }

    private static AclSubject subject(Job job, List<String> names) {
        JobLabels labels = job.request().labels();
        return new AclSubject(
                labels.user(),
                labels.group(),
                labels.account(),
                labels.jobClass(),
                job.qos(),
                job.id(),
                names.isEmpty()
                        ? names
                        : names.stream().filter(name -> !name.isEmpty()).toList(),
                job.request().options().flags(),
                job.request().walltimeSeconds(),
                job.request().procs());
    }

    /**
     * Returns the reservations that {@code job} has to stay inside by name, its own and that of its quality of service
     * (USERESERVED); an empty name stands for any it may use.
     */
    public List<String> names(Job job) {
        String own = job.request().options().reservation();
        String ofQos = confining && job.qos() != null ? policy.qos(job.qos()).usesReserved() : null;
        if (own == null) {
            return ofQos == null ? List.of() : List.of(ofQos);
        }
        return ofQos == null ? List.of(own) : List.of(own, ofQos);
    }

    private boolean confines(Job job, SiteReservation reservation, AccessDecision decision) {
        return confines(names(job), reservation, decision);
    }

    private static boolean confines(List<String> names, SiteReservation reservation, AccessDecision decision) {
        return decision.locked()
                || (!names.isEmpty() && names.stream().allMatch(name -> name.isEmpty() || reservation.goesBy(name)));
    }

    /** What {@code reservation} keeps: its amount less what jobs that it lets in hold, step by step as these end. */
    private void kept(SiteReservation reservation, Capacity amount, int position, long now, List<NodeBlock> blocks) {
        long from = Math.max(reservation.start(), now);
        for (long next : ends(position, from, reservation.end(), now)) {
            Capacity used = NOTHING;
            for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
                Job job = jobs.get(held.getKey());
                if (job != null && holds(job, now, from) && mayUse(job, reservation)) {
                    used = plus(used, held.getValue().held(), 1);
                }
            }
            add(from, next, plus(amount, used, -1), blocks);
            from = next;
        }
    }

    /** What lies outside of the reservations a job has to stay in. */
    private void outside(List<SiteReservation> inside, int position, long now, List<NodeBlock> blocks) {
        Capacity whole = nodes.at(position).configured();
        SortedSet<Long> instants = new TreeSet<>(ends(position, now, TimeArgument.FOREVER, now));
        for (SiteReservation reservation : inside) {
            if (reservation.start() > now) {
                instants.add(reservation.start());
            }
            instants.add(reservation.end());
        }
        long from = now;
        for (long next : instants) {
            Capacity left = whole;
            boolean within = false;
            for (SiteReservation reservation : inside) {
                ReservedNode reserved = reservation.on(nodes.at(position).id());
                if (reserved != null && reservation.start() <= from && from < reservation.end()) {
                    within = true;
                    left = plus(left, reserved.amount(), -1);
                }
            }
            if (within) {
                for (Map.Entry<String, NodeShare> held :
                        nodes.sharesAt(position).entrySet()) {
                    Job job = jobs.get(held.getKey());
                    boolean ofOurs = job != null && inside.stream().anyMatch(r -> mayUse(job, r));
                    if (job != null && !ofOurs && holds(job, now, from)) {
                        left = plus(left, held.getValue().held(), -1);
                    }
                }
            }
            add(from, next, left, blocks);
            from = next;
        }
    }

    /** Returns the instants in (from, to) at which running jobs end, and {@code to}. */
    private List<Long> ends(int position, long from, long to, long now) {
        SortedSet<Long> instants = new TreeSet<>();
        for (String id : nodes.sharesAt(position).keySet()) {
            Job job = jobs.get(id);
            if (job != null) {
                long end = Math.max(job.limitEnd(), now + 1);
                if (from < end && end < to) {
                    instants.add(end);
                }
            }
        }
        instants.add(to);
        return List.copyOf(instants);
    }

    private static boolean holds(Job job, long now, long instant) {
        return instant < Math.max(job.limitEnd(), now + 1);
    }

    private static Capacity plus(Capacity a, Capacity b, int sign) {
        return new Capacity(
                a.procs() + sign * b.procs(),
                a.memoryMb() + sign * b.memoryMb(),
                a.swapMb() + sign * b.swapMb(),
                a.diskMb() + sign * b.diskMb());
    }

    private static void add(long from, long to, Capacity amount, List<NodeBlock> blocks) {
        Capacity positive = new Capacity(
                Math.max(0, amount.procs()),
                Math.max(0, amount.memoryMb()),
                Math.max(0, amount.swapMb()),
                Math.max(0, amount.diskMb()));
        if (from < to && !positive.equals(NOTHING)) {
            blocks.add(new NodeBlock(from, to, positive));
        }
    }
}
