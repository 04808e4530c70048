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
import java.util.List;
import java.util.Map;
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

    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final ReservationAccess access;
    private final NodeSortingPolicy policy = new MinResourcePolicy();
    private final CandidateRanking ranking;

    ReservationNodeSelector(
            NodeTable nodes, JobTable jobs, AdministrativeReservationTable reservations, ReservationAccess access) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.access = access;
        ranking = new CandidateRanking(new Candidates(nodes, 0));
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
    record Wish(
            ReservationTerms terms,
            long start,
            long end,
            @Nullable BitSet listed,
            BitSet excluded,
            OverlapPolicy most,
            @Nullable AdministrativeReservation self,
            boolean filled) {
        /** Returns the same request for an interval of the same length that starts at {@code later}, epoch seconds. */
        Wish from(long later) {
            long until = end >= TimeArgument.FOREVER ? end : end + later - start;
            return new Wish(terms, later, until, listed, excluded, most, self, filled);
        }
    }

    /**
     * The nodes found.
     *
     * @param nodes nodes, sorted by index
     * @param missing tasks that found no place
     * @param conflicts one line for each conflict on a node that was not taken
     */
    record Found(List<ReservedNode> nodes, int missing, List<String> conflicts) {
        Found {
            nodes = List.copyOf(nodes);
            conflicts = List.copyOf(conflicts);
        }
    }

    Found choose(Wish wish) {
        return wish.terms.taskCount() > 0 ? some(wish) : listed(wish);
    }

    /** Returns how many tasks fit the node at {@code position} when it may overlap at most {@code most}. */
    int tasks(int position, Wish wish, OverlapPolicy most) {
        ReservationTerms terms = wish.terms;
        Capacity left = nodes.at(position).configured();
        int procs = left.procs();
        if (most != OverlapPolicy.RESERVATIONS && !terms.has(ReservationFlag.IGNRSV)) {
            for (AdministrativeReservation other : conflicting(position, wish)) {
                ReservedNode there = other.on(nodes.at(position).id());
                if (there != null) {
                    left = minus(left, there.amount());
                }
            }
        }
        if (most == OverlapPolicy.NOTHING && !terms.has(ReservationFlag.IGNJOBRSV)) {
            for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
                if (blocks(held.getKey(), wish)) {
                    left = minus(left, held.getValue().held());
                }
            }
        }
        int fitting = fitting(terms.task(), left, procs);
        return terms.tasksPerNode() > 0 ? Math.min(fitting, terms.tasksPerNode()) : fitting;
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

    /** Returns whether a node meets {@code wish}; its state counts unless {@code anyState}. */
    boolean suits(int position, Wish wish, boolean anyState) {
        EffectiveNode node = nodes.at(position);
        ReservationTerms terms = wish.terms;
        boolean ready =
                anyState || terms.has(ReservationFlag.IGNSTATE) || node.node().plannable();
        return node.node().state() != NodeState.REMOVED
                && ready
                && node.features().containsAll(terms.features())
                && (terms.partition() == null || terms.partition().equals(node.partition()))
                && fitting(terms.task(), node.configured(), node.configured().procs()) > 0;
    }

    /** Takes as many tasks as asked for: from listed nodes first, from nodes without conflicts first. */
    private Found some(Wish wish) {
        SortedMap<Integer, Integer> taken = new TreeMap<>();
        List<String> conflicts = new ArrayList<>();
        int missing = wish.terms.taskCount();
        for (boolean fromList : new boolean[] {true, false}) {
            int[] candidates = candidates(wish, fromList);
            for (OverlapPolicy level : OverlapPolicy.values()) {
                if (level.compareTo(wish.most) > 0) {
                    continue;
                }
                for (int position : candidates) {
                    int had = taken.getOrDefault(position, 0);
                    int more = Math.min(missing, tasks(position, wish, level) - had);
                    if (more > 0) {
                        taken.put(position, had + more);
                        missing -= more;
                    }
                }
            }
            if (missing > 0) {
                for (int position : candidates) {
                    describeConflicts(position, wish, conflicts);
                }
            }
        }
        return new Found(reserved(wish.terms, taken), missing, conflicts);
    }

    /** Takes every listed node, with one task or all that fit. */
    private Found listed(Wish wish) {
        boolean filled = wish.filled || wish.terms.taskCount() == ALL_TASKS;
        SortedMap<Integer, Integer> taken = new TreeMap<>();
        List<String> conflicts = new ArrayList<>();
        for (int position = 0; position < nodes.size(); position++) {
            boolean named = wish.listed == null || wish.listed.get(position);
            if (!named || wish.excluded.get(position) || !suits(position, wish, true)) {
                continue;
            }
            int fitting = tasks(position, wish, wish.most);
            boolean all = fitting == tasks(position, wish, OverlapPolicy.RESERVATIONS);
            if (all || (fitting > 0 && wish.most != OverlapPolicy.NOTHING)) {
                taken.put(position, filled ? fitting : 1);
            } else {
                describeConflicts(position, wish, conflicts);
            }
        }
        return new Found(reserved(wish.terms, taken), taken.isEmpty() ? 1 : 0, conflicts);
    }

    /** Returns the positions of nodes that suit, on or off the list, best first: the reservation's own before others. */
    private int[] candidates(Wish wish, boolean fromList) {
        Candidates candidates = new Candidates(nodes, 16);
        for (int position = 0; position < nodes.size(); position++) {
            boolean named = wish.listed == null || wish.listed.get(position);
            if (named == fromList && !wish.excluded.get(position) && suits(position, wish, false)) {
                EffectiveNode node = nodes.at(position);
                NodeAffinity affinity = isOwn(node, wish) ? NodeAffinity.POSITIVE : NodeAffinity.NONE;
                candidates.add(position, 1, wish.start, slack(node, wish), affinity);
            }
        }
        return ranking.sorted(candidates, policy);
    }

    private static boolean isOwn(EffectiveNode node, Wish wish) {
        return wish.self != null && wish.self.on(node.id()) != null;
    }

    private List<ReservedNode> reserved(ReservationTerms terms, SortedMap<Integer, Integer> taken) {
        List<ReservedNode> reserved = new ArrayList<>(taken.size());
        taken.forEach((position, tasks) -> reserved.add(reserved(terms, nodes.at(position), tasks)));
        return reserved;
    }

    private List<AdministrativeReservation> conflicting(int position, Wish wish) {
        List<AdministrativeReservation> others = new ArrayList<>();
        for (AdministrativeReservation other :
                reservations.on(nodes.at(position).id())) {
            boolean self = wish.self != null && wish.self.id().equals(other.id());
            if (!self && other.overlaps(wish.start, wish.end)) {
                others.add(other);
            }
        }
        return others;
    }

    private boolean blocks(String jobId, Wish wish) {
        Job job = jobs.get(jobId);
        return job != null
                && job.limitEnd() > wish.start
                && !wish.terms.acl().decide(access.subject(job)).allowed();
    }

    private void describeConflicts(int position, Wish wish, List<String> conflicts) {
        String node = nodes.at(position).id();
        for (AdministrativeReservation other : conflicting(position, wish)) {
            conflicts.add("node " + node + ": reservation " + other.id() + until(other.end()));
        }
        for (String jobId : nodes.sharesAt(position).keySet()) {
            Job job = jobs.get(jobId);
            if (job != null && wish.most == OverlapPolicy.NOTHING && blocks(jobId, wish)) {
                conflicts.add("node " + node + ": job " + jobId + until(job.limitEnd()));
            }
        }
    }

    private static String until(long end) {
        return end >= TimeArgument.FOREVER ? " for ever" : " until " + Instant.ofEpochSecond(end);
    }

    private long slack(EffectiveNode node, Wish wish) {
        long slack = Candidates.FOREVER;
        for (AdministrativeReservation other : reservations.on(node.id())) {
            if (other.start() >= wish.end) {
                slack = Math.min(slack, other.start() - wish.end);
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
