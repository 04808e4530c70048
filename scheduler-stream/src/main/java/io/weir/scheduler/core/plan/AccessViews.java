package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.JobAccess;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservedAmounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of jobs there are, and the views of a plan by the access that these have to reservations, made when the first
 * of the jobs is looked at. A job remembers its kind, so that access control lists are not read again until a reservation
 * or the policy changes.
 */
final class AccessViews {
    private final ReservationAccess access;
    private final NodeTable nodes;
    private final Placement placement;
    private final ReservedAmounts amounts;

    /** Numbers of the kinds, from 1 on; never iterated. */
    private final Map<SchedulingKey, Integer> numbers = new LinkedHashMap<>();

    /** The same by number less 1. */
    private final List<SchedulingKey> kinds = new ArrayList<>();

    /** Places of the reservations in what a {@link JobAccess} says, by id; never iterated. */
    private final Map<String, Integer> places = new LinkedHashMap<>();

    /** The views of this plan, as far as they were asked for; never iterated. */
    private final Map<JobAccess, AccessView> views = new LinkedHashMap<>();

    /** The same by number of a kind. */
    private final List<@Nullable AccessView> ofKinds = new ArrayList<>();

    /** The nodes of this plan by their reservations; null as long as no view was asked for. */
    private @Nullable ReservationOverlapGroups overlapGroups;

    /** Counts the changes of reservations and policy; part of what a job remembers. */
    private long edition = 1;

    private long version = -1;
    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether a kind has to stay inside reservations. */
    private boolean confining;

    /** Whether kinds tell apart to whom jobs belong. */
    private boolean personal;

    AccessViews(ReservationAccess access, NodeTable nodes, Placement placement) {
        this.access = access;
        this.nodes = nodes;
        this.placement = placement;
        amounts = access.amounts(this::letsIn);
    }

    /** Forgets all views: the timelines start anew. */
    void reset(SitePolicy inForce) {
        views.clear();
        ofKinds.clear();
        overlapGroups = null;
        if (version != access.version() || !policy.equals(inForce)) {
            version = access.version();
            policy = inForce;
            numbers.clear();
            kinds.clear();
            confining = false;
            places.clear();
            for (AdministrativeReservation reservation : access.reservations()) {
                places.put(reservation.id(), places.size());
            }
            edition++;
        }
    }

    /** Returns what stands for the kind of {@code job}, to be given to {@link #number}. */
    long mark(Job job) {
        long mark = job.accessMark();
        if (mark >>> 32 != edition()) {
            mark = edition << 32 | kind(job);
            job.accessMark(mark);
        }
        return mark;
    }

    private int kind(Job job) {
        boolean open = access.open(job);
        if (open && !personal) {
            return 0;
        }
        SchedulingKey schedulingKey = new SchedulingKey(
                open ? JobAccess.OPEN : access.of(job), personal ? SchedulingKey.Owner.of(job) : null);
        Integer number = numbers.putIfAbsent(schedulingKey, kinds.size() + 1);
        if (number == null) {
            kinds.add(schedulingKey);
            confining |= schedulingKey.access().confined();
            return kinds.size();
        }
        return number;
    }

    /** Returns the number of the kind of a job with such a mark; -1 when the mark is out of date. */
    int number(long mark) {
        return mark >>> 32 == edition() ? (int) mark : -1;
    }

    /** Returns the number of the kind of {@code job}. */
    int number(Job job) {
        return (int) mark(job);
    }

    private long edition() {
        if (placement.personal() != personal) {
            personal = !personal;
            edition++;
        }
        return edition;
    }

    /** Returns whether any of the jobs asked about has to stay inside reservations. */
    boolean confine() {
        return confining;
    }

    /** Returns the view that {@code job} has of {@code availability}. */
    AccessView of(Job job, NodeAvailabilityPlan availability) {
        int number = number(job);
        while (ofKinds.size() <= number) {
            ofKinds.add(null);
        }
        AccessView accessView = ofKinds.get(number);
        if (accessView == null) {
            JobAccess seen =
                    number == 0 ? JobAccess.OPEN : kinds.get(number - 1).access();
            accessView = views.computeIfAbsent(seen, wanted -> drawn(wanted, availability));
            ofKinds.set(number, accessView);
        }
        return accessView;
    }

    private AccessView drawn(JobAccess seen, NodeAvailabilityPlan availability) {
        if (seen.equals(JobAccess.OPEN)) {
            return new AccessView(nodes.size());
        }
        ReservationOverlapGroups parted = overlapGroups;
        if (parted == null) {
            parted = new ReservationOverlapGroups(access, nodes, amounts);
            overlapGroups = parted;
        }
        return parted.view(seen, availability);
    }

    private boolean letsIn(Job holder, AdministrativeReservation reservation) {
        int number = number(holder);
        Integer place = places.get(reservation.id());
        return number > 0 && place != null && kinds.get(number - 1).access().allowed(place);
    }
}
