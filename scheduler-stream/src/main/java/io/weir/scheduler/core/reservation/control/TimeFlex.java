package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Flag TIMEFLEX: moves a reservation that has not begun to the earliest time, not before the requested one, at which all its
 * tasks are free of conflicts: with other reservations, and with jobs that may not use it, up to their wallclock limits. It
 * keeps its length.
 */
final class TimeFlex {
    /** Stands for no time. */
    private static final long NEVER = TimeArgument.FOREVER;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final NamedHosts hosts;
    private final ReservationSink sink;
    private final ReservationNodeSelector choice;
    private final long now;

    TimeFlex(
            NodeTable nodes,
            JobTable jobs,
            AdministrativeReservationTable reservations,
            NamedHosts hosts,
            ReservationSink sink,
            ReservationNodeSelector choice,
            long now) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.hosts = hosts;
        this.sink = sink;
        this.choice = choice;
        this.now = now;
    }

    /** Moves reservations that have not begun: all whose resources are not theirs any more; those that may, to an
     *  earlier time, when something {@code freed} resources. */
    void run(boolean freed) {
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            if (!reservation.terms().has(ReservationFlag.TIMEFLEX)
                    || reservation.start() < now
                    || reservation.nodes().isEmpty()) {
                continue;
            }
            boolean clear = clear(reservation);
            boolean earliest = reservation.start() <= Math.max(now, reservation.requestedStart());
            AdministrativeReservation moved = clear && (!freed || earliest) ? null : moved(reservation, new BitSet());
            if (moved != null && (!clear || moved.start() < reservation.start())) {
                sink.put(moved);
                sink.notice(
                        Severity.INFO,
                        "rsvmodify",
                        moved.id(),
                        "reservation " + moved.id() + " moved from " + Instant.ofEpochSecond(reservation.start())
                                + " to " + Instant.ofEpochSecond(moved.start()));
            }
        }
    }

    /**
     * Returns {@code reservation} at its earliest time, on nodes where nothing stands in its way; null when there is no
     * such time, for an instance of a standing reservation before its own time is over.
     *
     * @param excluded nodes not to be used
     */
    @Nullable
    AdministrativeReservation moved(AdministrativeReservation reservation, BitSet excluded) {
        ReservationNodeSelector.Demand demand =
                demand(reservation, excluded).from(Math.max(now, reservation.requestedStart()));
        boolean standing = reservation.terms().standing() != null;
        long start = earliest(demand, standing ? reservation.requestedEnd() - 1 : NEVER - 1);
        if (start == NEVER) {
            return null;
        }
        ReservationNodeSelector.Found found = choice.choose(demand.from(start));
        return found.missing() > 0 || found.nodes().isEmpty()
                ? null
                : reservation.movedTo(start).on(found.nodes());
    }

    private ReservationNodeSelector.Demand demand(AdministrativeReservation reservation, BitSet excluded) {
        String named = reservation.terms().hostExpression();
        return new ReservationNodeSelector.Demand(
                reservation.terms(),
                reservation.start(),
                reservation.end(),
                named == null ? null : hosts.of(named),
                excluded,
                OverlapPolicy.NOTHING,
                reservation,
                reservation.terms().standing() != null);
    }

    /** Returns the earliest start from that of {@code demand} on, at most {@code latest}; {@link #NEVER} for none. */
    private long earliest(ReservationNodeSelector.Demand demand, long latest) {
        long from = demand.start();
        BitSet candidates = candidates(demand);
        int wanted = demand.terms().taskCount() > 0 ? demand.terms().taskCount() : candidates.cardinality();
        SortedMap<Long, BitSet> steps = new TreeMap<>();
        int[] given = new int[nodes.size()];
        long sum = 0;
        for (int position = candidates.nextSetBit(0); position >= 0; position = candidates.nextSetBit(position + 1)) {
            given[position] = given(position, demand);
            sum += given[position];
            for (long step : steps(position, demand)) {
                if (from < step && step <= latest) {
                    steps.computeIfAbsent(step, instant -> new BitSet()).set(position);
                }
            }
        }
        if (wanted > 0 && sum >= wanted) {
            return from;
        }
        for (var step : steps.entrySet()) {
            ReservationNodeSelector.Demand later = demand.from(step.getKey());
            for (int position : step.getValue().stream().toArray()) {
                sum -= given[position];
                given[position] = given(position, later);
                sum += given[position];
            }
            if (wanted > 0 && sum >= wanted) {
                return step.getKey();
            }
        }
        return NEVER;
    }

    /** Returns whether {@code reservation} has no conflicts at its present time. */
    private boolean clear(AdministrativeReservation reservation) {
        ReservationNodeSelector.Demand demand = demand(reservation, new BitSet());
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            if (position < 0
                    || !choice.suits(position, demand, false)
                    || choice.tasks(position, demand, OverlapPolicy.NOTHING) < node.tasks()) {
                return false;
            }
        }
        return true;
    }

    /** With a task count any node that suits, or else those that are listed. */
    private BitSet candidates(ReservationNodeSelector.Demand demand) {
        BitSet candidates = new BitSet();
        boolean counted = demand.terms().taskCount() > 0;
        for (int position = 0; position < nodes.size(); position++) {
            boolean named = demand.listed() == null || demand.listed().get(position);
            if ((counted || named) && !demand.excluded().get(position) && choice.suits(position, demand, !counted)) {
                candidates.set(position);
            }
        }
        return candidates;
    }

    /** Returns the tasks a node gives; of one that has to be taken whole 1 or nothing. */
    private int given(int position, ReservationNodeSelector.Demand demand) {
        int free = choice.tasks(position, demand, OverlapPolicy.NOTHING);
        if (demand.terms().taskCount() > 0) {
            return free;
        }
        boolean whole = choice.suits(position, demand, false)
                && free > 0
                && free == choice.tasks(position, demand, OverlapPolicy.RESERVATIONS);
        return whole ? 1 : 0;
    }

    /** Returns the starts from which on a node may give something else than just before. */
    private List<Long> steps(int position, ReservationNodeSelector.Demand demand) {
        TreeSet<Long> steps = new TreeSet<>();
        for (String id : nodes.sharesAt(position).keySet()) {
            Job job = jobs.get(id);
            if (job != null) {
                steps.add(job.limitEnd());
            }
        }
        for (AdministrativeReservation other :
                reservations.on(nodes.at(position).id())) {
            if (other.end() < TimeArgument.FOREVER) {
                steps.add(other.end());
            }
            if (demand.end() < TimeArgument.FOREVER) {
                steps.add(other.start() - (demand.end() - demand.start()) + 1);
            }
        }
        return new ArrayList<>(steps);
    }
}
