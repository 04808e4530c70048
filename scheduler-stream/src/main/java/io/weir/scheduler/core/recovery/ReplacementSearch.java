package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.placement.ClassHosts;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NodeAllocation;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a node in place of one that a job lost: in the same partition, with at least the processors the job had there,
 * and with every feature that the job asked for and the lost node has; so, too, as to class, architecture, operating system and
 * network. It is none that the job excludes, is switched on, and not over its load limit. Where the job's script cannot
 * leave its node, it comes behind that in node order. Of several the first in node order is taken, one of the job's node set before
 * any other. Costs a walk over the nodes.
 */
public final class ReplacementSearch {
    /** How long a node that a job waits for is waited for when what runs there stays beyond its limit, in seconds. */
    private static final long OVERRUN_SECONDS = 60;

    private final ClusterState state;
    private final ReadyNodes ready;
    private final Job job;
    private final String lostId;
    private final int procs;
    private final Set<String> leftOut;
    private final Set<String> own = new TreeSet<>();
    private final Set<String> excluded;

    /** Position of the node behind which the replacement has to come; negative for any. */
    private final int behind;

    private final long now;
    private final @Nullable String partition;
    private final SortedSet<String> features;

    /** Classes in which tasks of the job lay on the lost node. */
    private final SortedSet<String> classes;

    /** Positions of the nodes that keep the job within its node set; null when that does not matter. */
    private final @Nullable BitSet together;

    ReplacementSearch(ClusterState state, Job job, NodeLoss loss, Set<String> leftOut, long now) {
        this(state, job, loss.nodeId(), loss.procs(), leftOut, now);
    }

    /**
     * Looks for a node in place of {@code lostId}, of which {@code job} had {@code procs} processors.
     *
     * @param leftOut nodes that are out of the question, such as those found for other lost nodes
     */
    public ReplacementSearch(ClusterState state, Job job, String lostId, int procs, Set<String> leftOut, long now) {
        this.state = state;
        ready = new ReadyNodes(state);
        this.job = job;
        this.lostId = lostId;
        this.procs = procs;
        this.leftOut = leftOut;
        this.now = now;
        job.allocation().forEach(node -> own.add(node.getNodeId()));
        excluded = Set.copyOf(job.request().options().excludedHosts());
        String scriptNode = job.scriptNode();
        behind = scriptNode == null ? -1 : state.nodes.position(scriptNode);
        EffectiveNode lost = state.nodes.effective(lostId);
        EffectiveNode model = lost != null ? lost : firstKnown();
        partition = model == null ? null : model.partition();
        features = new TreeSet<>();
        if (lost != null) {
            for (Requirement requirement : job.request().requirements()) {
                features.addAll(requirement.demands().features());
            }
            features.retainAll(lost.features());
        }
        classes = classes(lost);
        together = together();
    }

    /** Returns the classes of the job's tasks on {@code lost}, of all its tasks when it is not known which lay there. */
    private SortedSet<String> classes(@Nullable EffectiveNode lost) {
        List<Requirement> requirements = job.request().requirements();
        List<Requirement> there = job.placements().stream()
                .filter(placement ->
                        placement.getNodeId().equals(lostId) && placement.getRequirement() < requirements.size())
                .map(placement -> requirements.get(placement.getRequirement()))
                .toList();
        TreeSet<String> found = new TreeSet<>();
        for (Requirement requirement : there.isEmpty() ? requirements : there) {
            List<String> own = requirement.demands().classes();
            String ofJob = job.request().credentials().jobClass();
            List<String> any = own.isEmpty() && ofJob != null ? List.of(ofJob) : own;
            any.stream()
                    .filter(jobClass -> lost == null || takes(lost, jobClass))
                    .findFirst()
                    .ifPresent(found::add);
        }
        return found;
    }

    private @Nullable BitSet together() {
        int lost = state.nodes.position(lostId);
        if (lost < 0) {
            return null;
        }
        BitSet others = new BitSet();
        for (String id : own) {
            int position = state.nodes.position(id);
            if (position >= 0 && position != lost) {
                others.set(position);
            }
        }
        return state.planner.nodeSets().inPlaceOf(job.request(), lost, others);
    }

    private @Nullable EffectiveNode firstKnown() {
        for (NodeAllocation node : job.allocation()) {
            EffectiveNode known = state.nodes.effective(node.getNodeId());
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    /** Returns the first idle node that nobody keeps, or that is kept for this job. */
    public Optional<EffectiveNode> idle() {
        EffectiveNode apart = null;
        for (int i = state.nodes.nextOpen(behind + 1); i >= 0; i = state.nodes.nextOpen(i + 1)) {
            if (isFree(i, false)) {
                if (keepsTogether(i)) {
                    return Optional.of(state.nodes.at(i));
                }
                apart = apart == null ? state.nodes.at(i) : apart;
            }
        }
        return Optional.ofNullable(apart);
    }

    /** Returns the first hot spare in node order, of those kept for the partition or for a class of the job. */
    Optional<EffectiveNode> spare() {
        EffectiveNode apart = null;
        for (int position : pools()) {
            if (position > behind && isFree(position, true)) {
                if (keepsTogether(position)) {
                    return Optional.of(state.nodes.at(position));
                }
                apart = apart == null ? state.nodes.at(position) : apart;
            }
        }
        return Optional.ofNullable(apart);
    }

    /** Returns the positions of the hot spares for this job. */
    private SortedSet<Integer> pools() {
        SortedSet<String> names = new TreeSet<>(classes);
        if (partition != null) {
            names.add(partition);
        }
        KeptNodes kept = new KeptNodes(state);
        SortedSet<Integer> positions = new TreeSet<>();
        for (String name : names) {
            kept.of(KeptNodes.poolOf(name)).forEach(id -> positions.add(state.nodes.position(id)));
        }
        return positions;
    }

    private boolean isFree(int position, boolean poolsOpen) {
        EffectiveNode node = state.nodes.at(position);
        return ready.isReady(position) && fits(node) && !keptForOthers(node, poolsOpen);
    }

    private boolean keepsTogether(int position) {
        return together == null || together.get(position);
    }

    /**
     * A node that will be free.
     *
     * @param node the node
     * @param time when its last job reaches its limit, epoch seconds
     */
    record Expected(EffectiveNode node, long time) {}

    /**
     * Returns the node that will be free first, by the limits of the jobs on it; none that has a job without a limit, or
     * beyond it, unless this job waits for it already.
     */
    Optional<Expected> expected() {
        List<String> awaited = new KeptNodes(state).of(KeptNodes.awaitedBy(job.id()));
        Expected first = null;
        for (int i = behind + 1; i < state.nodes.size(); i++) {
            EffectiveNode node = state.nodes.at(i);
            if (!node.node().plannable() || !fits(node) || keptForOthers(node, false)) {
                continue;
            }
            long time = now;
            boolean endless = false;
            for (Map.Entry<String, ?> held : state.nodes.sharesAt(i).entrySet()) {
                Job holder = state.jobs.get(held.getKey());
                time = holder == null ? time : Math.max(time, holder.limitEnd());
                endless |= holder != null && holder.limitSeconds() >= PolicyTime.LONGEST;
            }
            if (time == now && state.nodes.jobsAt(i) > 0 && awaited.contains(node.id())) {
                time = now + OVERRUN_SECONDS;
            }
            if (time > now && !endless && (first == null || time < first.time())) {
                first = new Expected(node, time);
            }
        }
        return Optional.ofNullable(first);
    }

    private boolean fits(EffectiveNode node) {
        return isLarge(node) && node.features().containsAll(features) && isAlike(node) && hasResources(node);
    }

    private boolean isLarge(EffectiveNode node) {
        return !node.id().equals(EffectiveNode.GLOBAL)
                && !node.id().equals(lostId)
                && !leftOut.contains(node.id())
                && !excluded.contains(node.id())
                && node.configured().procs() >= procs
                && (partition == null || node.partition().equals(partition))
                && !own.contains(node.id());
    }

    /** Returns whether a node has what else the job asked for and found on the node it lost. */
    private boolean isAlike(EffectiveNode node) {
        EffectiveNode lost = state.nodes.effective(lostId);
        if (!classes.stream().allMatch(jobClass -> takes(node, jobClass))) {
            return false;
        }
        for (Requirement requirement : job.request().requirements()) {
            NodeDemands demands = requirement.demands();
            boolean alike = keeps(demands.arch(), lost, node, EffectiveNode::arch)
                    && keeps(demands.os(), lost, node, EffectiveNode::os)
                    && (demands.network() == null
                            || (lost != null && !isOn(lost, demands.network()))
                            || isOn(node, demands.network()));
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    private boolean takes(EffectiveNode node, String jobClass) {
        return (node.classes().isEmpty() || node.classes().containsKey(jobClass))
                && new ClassHosts(state.domain.policy.jobClass(jobClass)).test(node.id());
    }

    private static boolean keeps(
            @Nullable String wanted,
            @Nullable EffectiveNode lost,
            EffectiveNode node,
            Function<EffectiveNode, @Nullable String> has) {
        return wanted == null || (lost != null && !wanted.equals(has.apply(lost))) || wanted.equals(has.apply(node));
    }

    private static boolean isOn(EffectiveNode node, String network) {
        return node.networks().stream().anyMatch(network::equalsIgnoreCase);
    }

    private boolean hasResources(EffectiveNode node) {
        for (Requirement requirement : job.request().requirements()) {
            int there = Math.max(1, procs / Math.max(1, requirement.resources().procs()));
            int tasks = Math.min(there, requirement.tasks());
            if (node.configured().memoryMb() > 0
                    && node.configured().memoryMb() < requirement.resources().memoryOf(tasks)) {
                return false;
            }
            for (Map.Entry<String, Long> wanted :
                    requirement.resources().gresOf(tasks).entrySet()) {
                boolean everywhere = node.gres().getOrDefault(wanted.getKey(), 0L) >= wanted.getValue();
                EffectiveNode lost = state.nodes.effective(lostId);
                boolean local = lost == null || lost.gres().containsKey(wanted.getKey());
                if (local && !everywhere) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean keptForOthers(EffectiveNode node, boolean poolsOpen) {
        List<AdministrativeReservation> there = List.copyOf(state.administrativeReservations.on(node.id()));
        for (AdministrativeReservation reservation : there) {
            boolean own = reservation.id().equals(KeptNodes.awaitedBy(job.id()));
            boolean openPool = poolsOpen && KeptNodes.isPool(reservation);
            if (!own
                    && !openPool
                    && reservation.overlaps(now, Math.max(now + 1, job.limitEnd()))
                    && !state.access.mayUse(job, reservation)) {
                return true;
            }
        }
        return false;
    }
}
