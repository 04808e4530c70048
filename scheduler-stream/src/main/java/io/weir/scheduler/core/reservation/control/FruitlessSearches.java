package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers for which reservations nodes were looked for in vain, so that they are not looked for again before something
 * changed that the search depends on. What is not remembered is looked for again, in vain again: no decision depends on it,
 * and none of it is stored. Owned by the core's thread.
 */
public final class FruitlessSearches {
    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final Map<OverlapPolicy, Memory> memories = new EnumMap<>(OverlapPolicy.class);

    /** Remembers searches over the tables of one cluster. */
    public FruitlessSearches(NodeTable nodes, JobTable jobs, AdministrativeReservationTable reservations) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        for (OverlapPolicy most : OverlapPolicy.values()) {
            memories.put(most, new Memory());
        }
    }

    /** What searches depend on, as numbers that change with it; 0 where they do not. */
    private record Circumstances(long nodes, long reservations, long uses) {}

    /** What was looked for in vain under the same circumstances. */
    private static final class Memory {
        private Circumstances circumstances = new Circumstances(-1, -1, -1);

        /** The last instant of which it is known that none since the searches made a difference, epoch seconds. */
        private long seen;

        /** The versions nodes were looked for, by id. */
        private final Map<String, AdministrativeReservation> versions = new LinkedHashMap<>();
    }

    /**
     * Returns whether nodes were looked for {@code reservation} as it is, and as everything is that the search depends on,
     * and nothing came of it.
     *
     * @param most most that the nodes may overlap with
     * @param now present, epoch seconds
     */
    boolean has(AdministrativeReservation reservation, OverlapPolicy most, long now) {
        Memory memory = memory(most);
        Circumstances present = circumstances(most);
        if (!memory.circumstances.equals(present) || (most != OverlapPolicy.RESERVATIONS && isStep(memory.seen, now))) {
            memory.versions.clear();
            memory.circumstances = present;
        }
        memory.seen = now;
        AdministrativeReservation version = memory.versions.get(reservation.id());
        return version != null && version.reservesAs(reservation);
    }

    /** Remembers that nothing came of the search that {@link #has} was asked about last for {@code reservation}. */
    void add(AdministrativeReservation reservation, OverlapPolicy most) {
        Map<String, AdministrativeReservation> versions = memory(most).versions;
        versions.put(reservation.id(), reservation);
        if (versions.size() > reservations.all().size()) {
            versions.keySet().removeIf(id -> reservations.get(id) == null);
        }
    }

    private Memory memory(OverlapPolicy most) {
        return memories.computeIfAbsent(most, level -> new Memory());
    }

    /** Nodes that may be reserved twice do not depend on who has them; without such, jobs may still be in the way. */
    private Circumstances circumstances(OverlapPolicy most) {
        return switch (most) {
            case RESERVATIONS -> new Circumstances(nodes.condition(), 0, 0);
            case JOBS -> new Circumstances(nodes.condition(), reservations.placements(), 0);
            case NOTHING -> new Circumstances(nodes.condition(), reservations.placements(), nodes.uses());
        };
    }

    /** Returns whether a reservation begins or ends, or a job reaches its limit, after {@code from}, up to {@code to}. */
    private boolean isStep(long from, long to) {
        if (from >= to) {
            return false;
        }
        if (reservations.nextBoundary(from) <= to) {
            return true;
        }
        for (Job job : jobs.active()) {
            if (job.plannedEnd() > to) {
                return false;
            }
            if (job.limitEnd() > from && job.limitEnd() <= to) {
                return true;
            }
        }
        return false;
    }
}
