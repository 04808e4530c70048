package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.JobAccess;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservedAmounts;
import io.weir.scheduler.core.reservation.SiteReservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The veils of a plan, by the access that jobs have to reservations, made when the first of these jobs is looked at. A job
 * remembers its access, so that access control lists are not read again until a reservation or the policy changes.
 */
final class Veils {
    private final ReservationAccess access;
    private final NodeTable nodes;
    private final ReservedAmounts amounts;

    /** Numbers by access, from 1 on; never iterated. */
    private final Map<JobAccess, Integer> numbers = new LinkedHashMap<>();

    /** The same by number less 1. */
    private final List<JobAccess> kinds = new ArrayList<>();

    /** Places of the reservations in what a {@link JobAccess} says, by id; never iterated. */
    private final Map<String, Integer> places = new LinkedHashMap<>();

    /** The veils of this plan by number, as far as they were asked for. */
    private final List<@Nullable Veil> veils = new ArrayList<>();

    /** The nodes of this plan by their reservations; empty as long as no veil was asked for. */
    private List<Zone> zones = List.of();

    /** Counts the changes of reservations and policy; part of what a job remembers. */
    private long edition = 1;

    private long version = -1;
    private SitePolicy policy = SitePolicy.DEFAULT;

    Veils(ReservationAccess access, NodeTable nodes) {
        this.access = access;
        this.nodes = nodes;
        amounts = access.amounts(this::letsIn);
    }

    /** Forgets all veils: the timelines start anew. */
    void reset(SitePolicy inForce) {
        veils.clear();
        zones = List.of();
        if (version != access.version() || !policy.equals(inForce)) {
            version = access.version();
            policy = inForce;
            numbers.clear();
            kinds.clear();
            places.clear();
            for (SiteReservation reservation : access.reservations()) {
                places.put(reservation.id(), places.size());
            }
            edition++;
        }
    }

    /** Returns what stands for the access of {@code job}, to be given to {@link #number}. */
    long mark(Job job) {
        long mark = job.accessMark();
        if (mark >>> 32 != edition) {
            mark = edition << 32 | (access.open(job) ? 0 : number(access.of(job)));
            job.accessMark(mark);
        }
        return mark;
    }

    private int number(JobAccess kind) {
        Integer number = numbers.putIfAbsent(kind, kinds.size() + 1);
        if (number == null) {
            kinds.add(kind);
            return kinds.size();
        }
        return number;
    }

    /** Returns the number of the veil that a job with such a mark looks through; -1 when the mark is out of date. */
    int number(long mark) {
        return mark >>> 32 == edition ? (int) mark : -1;
    }

    /** Returns the veil that {@code job} looks through in {@code room}. */
    Veil of(Job job, NodeRoom room) {
        int number = (int) mark(job);
        while (veils.size() <= number) {
            veils.add(null);
        }
        Veil veil = veils.get(number);
        if (veil == null) {
            veil = new Veil(number, nodes.size());
            veils.set(number, veil);
            if (number > 0) {
                draw(veil, kinds.get(number - 1), room);
            }
        }
        return veil;
    }

    private void draw(Veil veil, JobAccess kind, NodeRoom room) {
        if (zones.isEmpty()) {
            zones = Zone.of(access, nodes);
        }
        for (Zone zone : zones) {
            zone.show(veil, kind, room, amounts);
        }
    }

    private boolean letsIn(Job holder, SiteReservation reservation) {
        int number = (int) mark(holder);
        Integer place = places.get(reservation.id());
        return number > 0 && place != null && kinds.get(number - 1).allowed(place);
    }
}
