package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.acl.AccessDecision;
import io.weir.scheduler.core.reservation.acl.AclSubject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What the reservations that are no job's mean for jobs: which nodes they keep from whom, and where they draw or force
 * whom. A job may use reserved resources while every reservation there lets it in. A job that names a reservation,
 * whose quality of service has USERESERVED, or that a list locks in, stays inside.
 *
 * <p>What running jobs of a reservation's users hold there counts against the reservation, not twice. Owned by the core's
 * thread.
 */
public final class ReservationAccess {
    private final AdministrativeReservationTable reservations;
    private final NodeTable nodes;
    private final JobTable jobs;
    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether some quality of service confines its jobs to reservations. */
    private boolean confining;

    /** What {@link #of} goes by, and the version of the reservations it is about. */
    private @Nullable AccessIndex index;

    private long indexed = -1;

    /** The job whose {@link #affinity} was asked for last, what reservations say to it, and the version of these. */
    private @Nullable Job asked;

    private final Map<String, AccessDecision> answers = new LinkedHashMap<>();
    private long answered = -1;

    /** Answers for the tables of one cluster. */
    public ReservationAccess(AdministrativeReservationTable reservations, NodeTable nodes, JobTable jobs) {
        this.reservations = reservations;
        this.nodes = nodes;
        this.jobs = jobs;
    }

    /** Puts a policy in force. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        asked = null;
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

    /** Returns what every reservation says to {@code job}. */
    public JobAccess of(Job job) {
        List<String> names = names(job);
        return index().of(names, subject(job, names));
    }

    private AccessIndex index() {
        AccessIndex known = index;
        if (known == null || indexed != reservations.version()) {
            known = new AccessIndex(reservations.all());
            index = known;
            indexed = reservations.version();
        }
        return known;
    }

    /** Returns a number that changes whenever {@link #of} may for another reason than job or policy. */
    public long version() {
        return reservations.version();
    }

    /** Returns what {@code reservation} says about {@code job}. */
    public AccessDecision decide(Job job, AdministrativeReservation reservation) {
        List<String> names = names(job);
        return decide(names, subject(job, names), reservation);
    }

    static AccessDecision decide(List<String> names, AclSubject subject, AdministrativeReservation reservation) {
        if (reservation.terms().has(ReservationFlag.BYNAME) && names.stream().noneMatch(reservation::goesBy)) {
            return AccessDecision.DENIED;
        }
        return reservation.terms().acl().decide(subject);
    }

    /** Returns whether {@code reservation} lets {@code job} in. */
    public boolean mayUse(Job job, AdministrativeReservation reservation) {
        return decide(job, reservation).allowed();
    }

    /** Returns whether {@code job} has to stay inside reservations: it names one, or is locked in. */
    public boolean confined(Job job) {
        return !names(job).isEmpty() || of(job).confined();
    }

    /** Returns whether a reservation that {@code job} has to stay inside lets it in. */
    public boolean admitted(Job job) {
        return of(job).admitted();
    }

    /** Returns whether there is a reservation of every name that {@code job} has to stay inside. */
    public boolean named(Job job) {
        return names(job).stream()
                .filter(name -> !name.isEmpty())
                .allMatch(name -> reservations.all().stream().anyMatch(reservation -> reservation.goesBy(name)));
    }

    /** Returns how much {@code job} is drawn to {@code nodeId} by the reservations there during [from, to). */
    public NodeAffinity affinity(Job job, String nodeId, long from, long to) {
        if (asked != job || answered != reservations.version()) {
            asked = job;
            answered = reservations.version();
            answers.clear();
        }
        NodeAffinity drawn = NodeAffinity.NONE;
        io.weir.scheduler.core.reservation.acl.Affinity all = null;
        for (AdministrativeReservation reservation : reservations.on(nodeId)) {
            if (!reservation.overlaps(from, to)) {
                continue;
            }
            AccessDecision decision = answers.computeIfAbsent(reservation.id(), id -> decide(job, reservation));
            if (!decision.allowed()) {
                continue;
            }
            if (confines(job, reservation, decision)) {
                return NodeAffinity.REQUIRED;
            }
            all = all == null ? decision.affinity() : all.and(decision.affinity());
            drawn = switch (all) {
                case POSITIVE -> NodeAffinity.POSITIVE;
                case NEUTRAL -> NodeAffinity.NEUTRAL;
                case NEGATIVE -> NodeAffinity.NEGATIVE;
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
        for (AdministrativeReservation reservation : reservations.all()) {
            long meets = reservation.start() - seconds + 1;
            if (meets > from) {
                next = Math.min(next, meets);
            } else if (reservation.end() > from) {
                next = Math.min(next, reservation.end());
            }
        }
        return next;
    }

    /** Returns the first start or end of a reservation after {@code now}, or {@link TimeArgument#FOREVER}. */
    public long nextBoundary(long now) {
        return reservations.nextBoundary(now);
    }

    /**
     * Returns what reservations keep from {@code job} on the node at {@code position} from {@code now} on, beyond what
     * running jobs hold until the end of their limits. Blocks may overlap; then the amounts add up.
     */
    public List<NodeBlock> blocks(Job job, int position, long now) {
        List<AdministrativeReservation> closed = new ArrayList<>();
        List<AdministrativeReservation> inside = new ArrayList<>();
        boolean confined = confined(job);
        for (AdministrativeReservation reservation :
                reservations.on(nodes.at(position).id())) {
            AccessDecision decision = decide(job, reservation);
            if (!decision.allowed()) {
                closed.add(reservation);
            } else if (confined && confines(job, reservation, decision)) {
                inside.add(reservation);
            }
        }
        return amounts(this::mayUse).blocks(position, now, closed, confined ? inside : null);
    }

    /** Returns what reservations keep, for those who know whom a reservation lets in. */
    public ReservedAmounts amounts(BiPredicate<Job, AdministrativeReservation> letsIn) {
        return new ReservedAmounts(reservations, nodes, jobs, letsIn);
    }

    /** Returns the reservations, in the order of their ids. */
    public Collection<AdministrativeReservation> reservations() {
        return reservations.all();
    }

    /** Returns the reservations on {@code nodeId}, in the order of their ids. */
    public Collection<AdministrativeReservation> on(String nodeId) {
        return reservations.on(nodeId);
    }

    /** Returns the traits of {@code job} that access control lists look at. */
    public AclSubject subject(Job job) {
        return subject(job, names(job));
    }

    private static AclSubject subject(Job job, List<String> names) {
        JobCredentials credentials = job.request().credentials();
        return new AclSubject(
                credentials.user(),
                credentials.group(),
                credentials.account(),
                credentials.jobClass(),
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

    private boolean confines(Job job, AdministrativeReservation reservation, AccessDecision decision) {
        return confines(names(job), reservation, decision);
    }

    static boolean confines(List<String> names, AdministrativeReservation reservation, AccessDecision decision) {
        return decision.locked()
                || (!names.isEmpty() && names.stream().allMatch(name -> name.isEmpty() || reservation.goesBy(name)));
    }
}
