package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.policy.CandidateRanking;
import io.weir.scheduler.core.placement.policy.MinResourcePolicy;
import io.weir.scheduler.core.placement.policy.NodeSortingPolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.schemas.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes for a reservation. Listed nodes come first, then nodes without conflicts; among these the order is that of
 * {@link MinResourcePolicy}, whatever the site's allocation policy.
 */
final class ReservationNodeSelector {
    /** Task count that stands for every task that fits. */
    static final int ALL_TASKS = -1;

    /** Most conflicts that are described. */
    private static final int MOST_CONFLICTS = 50;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final ReservationAccess access;
    private final NodeSortingPolicy policy = new MinResourcePolicy();

    /** Made when a reservation is first looked for; most iterations look for none. */
    private @Nullable CandidateRanking ranking;

    ReservationNodeSelector(
            NodeTable nodes, JobTable jobs, AdministrativeReservationTable reservations, ReservationAccess access) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.access = access;
    }

    /**
     * The nodes a reservation asks for.
     *
     * @param terms what was asked for
     * @param start first second
     * @param end end, exclusive
     * @param listed nodes the host expression names; null for any
     * @param excluded nodes not to be used
     * @param most most it may overlap
     * @param self reservation the nodes are for: it conflicts with nothing, and its present nodes come first; null for a new
     *     one
     * @param filled whether listed nodes without a task count give every task that fits
     */
    record Demand(
            ReservationTerms terms,
            long start,
            long end,
            @Nullable BitSet listed,
            BitSet excluded,
            OverlapPolicy most,
            @Nullable AdministrativeReservation self,
            boolean filled) {
        /** Returns the same request for an interval of the same length that starts at {@code later}, epoch seconds. */
        Demand from(long later) {
            long until = end >= TimeArgument.FOREVER ? end : end + later - start;
            return new Demand(terms, later, until, listed, excluded, most, self, filled);
        }
    }

    /**
     * The nodes found.
     *
     * @param nodes nodes, sorted by index
     * @param missing tasks that found no place
     * @param conflicts the first conflicts on nodes that were not taken, a line for each
     */
    record Found(List<ReservedNode> nodes, int missing, List<String> conflicts) {
        Found {
            nodes = List.copyOf(nodes);
            conflicts = List.copyOf(conflicts);
        }
    }

    Found choose(Demand demand) {
        return demand.terms.taskCount() > 0 ? some(demand) : listed(demand);
    }

    /** Returns whether there are places for all tasks of {@code demand}, which has a number of them; quicker than to choose. */
    boolean hasRoom(Demand demand) {
        long missing = demand.terms.taskCount();
        for (int position = 0; position < nodes.size() && missing > 0; position++) {
            if (!demand.excluded.get(position) && suits(position, demand, false)) {
                missing -= tasks(position, demand, demand.most);
            }
        }
        return missing <= 0;
    }

    /** Returns how many tasks fit the node at {@code position} when it may overlap at most {@code most}. */
    int tasks(int position, Demand demand, OverlapPolicy most) {
        ReservationTerms terms = demand.terms;
        Capacity left = nodes.at(position).configured();
        int procs = left.procs();
        if (most != OverlapPolicy.RESERVATIONS && !terms.has(ReservationFlag.IGNRSV)) {
            for (AdministrativeReservation other : conflicting(position, demand)) {
                ReservedNode there = reservations.on(nodes.at(position).id(), other);
                if (there != null) {
                    left = minus(left, there.amount());
                }
            }
        }
        if (most == OverlapPolicy.NOTHING && !terms.has(ReservationFlag.IGNJOBRSV)) {
            for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
                if (blocks(held.getKey(), demand)) {
                    left = minus(left, held.getValue().held());
                }
            }
        }
        return usable(terms, left, procs);
    }

    /** Returns how many tasks a node takes that has {@code left} of its resources: of tasks that are whole nodes one. */
    private static int usable(ReservationTerms terms, Capacity left, int configuredProcs) {
        int fitting = fitting(terms.task(), left, configuredProcs);
        return terms.task() == null ? fitting : terms.tasksPerNode().usable(fitting);
    }

    /** Returns the resources that {@code tasks} tasks of {@code terms} reserve on {@code node}. */
    static ReservedNode reserved(ReservationTerms terms, EffectiveNode node, int tasks) {
        TaskResources task = terms.task();
        Capacity amount = task == null
                ? new Capacity(node.configured().procs(), 0, 0, 0)
                : new Capacity(
                        tasks * task.procs(), tasks * task.memoryMb(), tasks * task.swapMb(), tasks * task.diskMb());
        return new ReservedNode(node.id(), tasks, amount);
    }

    /** Returns whether a node meets {@code demand}; its state counts unless {@code anyState}. */
    boolean suits(int position, Demand demand, boolean anyState) {
        EffectiveNode node = nodes.at(position);
        ReservationTerms terms = demand.terms;
        boolean ready =
                anyState || terms.has(ReservationFlag.IGNSTATE) || node.node().plannable();
        return node.node().state() != NodeState.REMOVED
                && ready
                && node.features().containsAll(terms.features())
                && (terms.partition() == null || terms.partition().equals(node.partition()))
                && usable(terms, node.configured(), node.configured().procs()) > 0;
    }

    /** Takes as many tasks as asked for: from listed nodes first, from nodes without conflicts first. */
    private Found some(Demand demand) {
        SortedMap<Integer, Integer> taken = new TreeMap<>();
        Set<String> conflicts = new LinkedHashSet<>();
        int missing = demand.terms.taskCount();
        for (boolean fromList : new boolean[] {true, false}) {
            if (missing == 0) {
                break;
            }
            int[] candidates = candidates(demand, fromList);
            for (OverlapPolicy level : OverlapPolicy.values()) {
                if (level.compareTo(demand.most) > 0) {
                    continue;
                }
                for (int i = 0; i < candidates.length && missing > 0; i++) {
                    int position = candidates[i];
                    int had = taken.getOrDefault(position, 0);
                    int more = demand.terms.tasksPerNode().taken(tasks(position, demand, level), had, missing);
                    if (more > 0) {
                        taken.put(position, had + more);
                        missing -= more;
                    }
                }
            }
            if (missing > 0) {
                for (int position : candidates) {
                    describeConflicts(position, demand, conflicts);
                }
            }
        }
        return new Found(reserved(demand.terms, taken), missing, List.copyOf(conflicts));
    }

    /** Takes every listed node, with one task or all that fit. */
    private Found listed(Demand demand) {
        boolean filled = demand.filled || demand.terms.taskCount() == ALL_TASKS;
        SortedMap<Integer, Integer> taken = new TreeMap<>();
        Set<String> conflicts = new LinkedHashSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            boolean named = demand.listed == null || demand.listed.get(position);
            if (!named || demand.excluded.get(position) || !suits(position, demand, true)) {
                continue;
            }
            int fitting = tasks(position, demand, demand.most);
            boolean all = fitting == tasks(position, demand, OverlapPolicy.RESERVATIONS);
            if (all || (fitting > 0 && demand.most != OverlapPolicy.NOTHING)) {
                taken.put(position, filled ? fitting : 1);
            } else {
                describeConflicts(position, demand, conflicts);
            }
        }
        return new Found(reserved(demand.terms, taken), taken.isEmpty() ? 1 : 0, List.copyOf(conflicts));
    }

    /** Returns the positions of nodes that suit, on or off the list, best first: the reservation's own before others. */
    private int[] candidates(Demand demand, boolean fromList) {
        Candidates candidates = new Candidates(nodes, 16);
        Set<String> own = demand.self == null ? Set.of() : demand.self.byNode().keySet();
        for (int position = 0; position < nodes.size(); position++) {
            boolean named = demand.listed == null || demand.listed.get(position);
            if (named == fromList && !demand.excluded.get(position) && suits(position, demand, false)) {
                EffectiveNode node = nodes.at(position);
                NodeAffinity affinity = own.contains(node.id()) ? NodeAffinity.POSITIVE : NodeAffinity.NONE;
                candidates.add(position, 1, demand.start, slack(node, demand), affinity);
            }
        }
        if (ranking == null) {
            ranking = new CandidateRanking(new Candidates(nodes, 0));
        }
        return ranking.sorted(candidates, policy);
    }

    private List<ReservedNode> reserved(ReservationTerms terms, SortedMap<Integer, Integer> taken) {
        List<ReservedNode> reserved = new ArrayList<>(taken.size());
        taken.forEach((position, tasks) -> reserved.add(reserved(terms, nodes.at(position), tasks)));
        return reserved;
    }

    private List<AdministrativeReservation> conflicting(int position, Demand demand) {
        List<AdministrativeReservation> others = new ArrayList<>();
        for (AdministrativeReservation other :
                reservations.on(nodes.at(position).id())) {
            boolean self = demand.self != null && demand.self.id().equals(other.id());
            if (!self && other.overlaps(demand.start, demand.end)) {
                others.add(other);
            }
        }
        return others;
    }

    private boolean blocks(String jobId, Demand demand) {
        Job job = jobs.get(jobId);
        return job != null
                && job.limitEnd() > demand.start
                && !demand.terms.acl().decide(access.subject(job)).allowed();
    }

    /** Adds the conflicts of a node, as long as there are not too many. */
    private void describeConflicts(int position, Demand demand, Set<String> conflicts) {
        if (conflicts.size() >= MOST_CONFLICTS) {
            return;
        }
        String node = nodes.at(position).id();
        for (AdministrativeReservation other : conflicting(position, demand)) {
            if (conflicts.size() < MOST_CONFLICTS) {
                conflicts.add("node " + node + ": reservation " + other.id() + until(other.end()));
            }
        }
        for (String jobId : nodes.sharesAt(position).keySet()) {
            Job job = jobs.get(jobId);
            if (conflicts.size() < MOST_CONFLICTS
                    && job != null
                    && demand.most == OverlapPolicy.NOTHING
                    && blocks(jobId, demand)) {
                conflicts.add("node " + node + ": job " + jobId + until(job.limitEnd()));
            }
        }
    }

    private static String until(long end) {
        return end >= TimeArgument.FOREVER ? " for ever" : " until " + Instant.ofEpochSecond(end);
    }

    private long slack(EffectiveNode node, Demand demand) {
        long slack = Candidates.FOREVER;
        for (AdministrativeReservation other : reservations.on(node.id())) {
            if (other.start() >= demand.end) {
                slack = Math.min(slack, other.start() - demand.end);
            }
        }
        return slack;
    }

    private static int fitting(@Nullable TaskResources task, Capacity left, int configuredProcs) {
        if (task == null) {
            return configuredProcs > 0 && left.procs() >= configuredProcs ? 1 : 0;
        }
        long fitting = Math.max(0, left.procs()) / task.procs();
        fitting = fitting(fitting, task.memoryMb(), left.memoryMb());
        fitting = fitting(fitting, task.swapMb(), left.swapMb());
        return (int) fitting(fitting, task.diskMb(), left.diskMb());
    }

    private static long fitting(long soFar, long each, long left) {
        return each == 0 ? soFar : Math.min(soFar, Math.max(0, left) / each);
    }

    private static Capacity minus(Capacity a, Capacity b) {
        return new Capacity(
                a.procs() - b.procs(), a.memoryMb() - b.memoryMb(), a.swapMb() - b.swapMb(), a.diskMb() - b.diskMb());
    }
}
