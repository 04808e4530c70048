package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.ReservationAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The veils of a plan, by the access that jobs have to reservations, and which of them lies over the timelines. A job
 * remembers its access, so that access control lists are not read again until a reservation or the policy changes.
 */
final class Veils {
    private final ReservationAccess access;
    private final NodeTable nodes;

    /** Numbers by signature of the access, from 1 on; never iterated. */
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** The veils of this plan by number less 1, as far as they were asked for. */
    private final List<@Nullable Veil> veils = new ArrayList<>();

    /** Counts the changes of reservations and policy; part of what a job remembers. */
    private long edition = 1;

    private long version = -1;
    private SitePolicy policy = SitePolicy.DEFAULT;
    private Veil drawn = Veil.NONE;

    Veils(ReservationAccess access, NodeTable nodes) {
        this.access = access;
        this.nodes = nodes;
    }

    /** Forgets all veils; none lies over timelines that start anew. */
    void reset(SitePolicy inForce) {
        veils.clear();
        drawn = Veil.NONE;
        if (version != access.version() || !policy.equals(inForce)) {
            version = access.version();
            policy = inForce;
            numbers.clear();
            edition++;
        }
    }

    /** Returns what stands for the access of {@code job}, to be given to {@link #number}. */
    long mark(Job job) {
        long mark = job.accessMark();
        if (mark >>> 32 != edition) {
            int number =
                    access.open(job) ? 0 : numbers.computeIfAbsent(access.signature(job), key -> numbers.size() + 1);
            mark = edition << 32 | number;
            job.accessMark(mark);
        }
        return mark;
    }

    /** Returns the number of the veil that a job with such a mark looks through; -1 when the mark is out of date. */
    int number(long mark) {
        return mark >>> 32 == edition ? (int) mark : -1;
    }

    /** Returns the veil that {@code job} looks through. */
    Veil of(Job job, long base) {
        int number = (int) mark(job);
        if (number == 0) {
            return Veil.NONE;
        }
        while (veils.size() < number) {
            veils.add(null);
        }
        Veil veil = veils.get(number - 1);
        if (veil == null) {
            veil = Veil.of(number, job, access, nodes, base);
            veils.set(number - 1, veil);
        }
        return veil;
    }

    /** Lays {@code veil} over the timelines in place of the one that lies there. */
    void draw(Veil veil, NodeRoom room, int resources) {
        if (veil != drawn) {
            drawn.draw(room, resources, -1);
            veil.draw(room, resources, 1);
            drawn = veil;
        }
    }

    /** Returns the number of the veil that lies over the timelines. */
    int drawn() {
        return drawn.number();
    }
}
