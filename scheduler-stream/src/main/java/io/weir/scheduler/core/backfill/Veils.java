package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import java.util.SortedMap;
import java.util.TreeMap;

/** The veils of a plan, by the access that jobs have to reservations, and which of them lies over the timelines. */
final class Veils {
    private final ReservationAccess access;
    private final NodeTable nodes;
    private final SortedMap<String, Veil> byAccess = new TreeMap<>();
    private Veil drawn = Veil.NONE;

    Veils(ReservationAccess access, NodeTable nodes) {
        this.access = access;
        this.nodes = nodes;
    }

    /** Forgets all veils; none lies over timelines that start anew. */
    void clear() {
        byAccess.clear();
        drawn = Veil.NONE;
    }

    /** Returns the veil that {@code job} looks through. */
    Veil of(Job job, long base) {
        if (access.open(job)) {
            return Veil.NONE;
        }
        return byAccess.computeIfAbsent(
                access.signature(job), key -> Veil.of(byAccess.size() + 1, job, access, nodes, base));
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
