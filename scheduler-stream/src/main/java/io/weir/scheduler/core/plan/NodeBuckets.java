package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that nothing tells apart: alike in all they are, and every job that waits or runs takes their processors one by
 * one, wherever its other tasks lie, and no more than a processor's share of anything else. Any processor of such a bucket
 * is as good as any other, so that it counts like one large node, and which node a task gets is decided when it starts.
 * Nodes that a reservation lies on, that take nothing now, that give by measurement or several processors at once are in no
 * bucket.
 */
final class NodeBuckets {
    /**
     * What nodes of one kind have in common, as one of them has it. No record, whose method handles a scheduler that has just
     * started runs slowly: each of its nodes is compared in the first iteration.
     */
    private static final class Kind {
        private final EffectiveNode node;
        private final int hash;

        Kind(EffectiveNode node) {
            this.node = node;
            hash = hashOf(node);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kind kind && hash == kind.hash && alike(node, kind.node);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        private static int hashOf(EffectiveNode node) {
            int hash = node.configured().hashCode();
            hash = 31 * hash + node.partition().hashCode();
            hash = 31 * hash + node.features().hashCode();
            hash = 31 * hash + node.networks().hashCode();
            hash = 31 * hash + node.classes().hashCode();
            hash = 31 * hash + node.gres().hashCode();
            hash = 31 * hash + Objects.hashCode(node.arch());
            hash = 31 * hash + Objects.hashCode(node.os());
            hash = 31 * hash + Objects.hashCode(node.speed());
            hash = 31 * hash + Objects.hashCode(node.procSpeedMhz());
            return 31 * hash + Objects.hashCode(node.maxTasks());
        }

        private static boolean alike(EffectiveNode one, EffectiveNode other) {
            return one.configured().equals(other.configured())
                    && one.access() == other.access()
                    && one.partition().equals(other.partition())
                    && one.features().equals(other.features())
                    && one.networks().equals(other.networks())
                    && one.classes().equals(other.classes())
                    && one.gres().equals(other.gres())
                    && Objects.equals(one.arch(), other.arch())
                    && Objects.equals(one.os(), other.os())
                    && Objects.equals(one.speed(), other.speed())
                    && Objects.equals(one.procSpeedMhz(), other.procSpeedMhz())
                    && Objects.equals(one.maxTasks(), other.maxTasks());
        }
    }

    private static final BitSet NOBODY = new BitSet();

    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final ReservationAccess access;
    private final PlanKeyTable planKeys;

    /** By position, the kind of a node. */
    private int[] kinds = new int[0];

    private final List<BitSet> members = new ArrayList<>();

    /** Kinds of fewer than two nodes: there is nothing to count together. */
    private final BitSet single = new BitSet();

    /** By place of a plan key, the kinds that its jobs divide; null where it was not asked. */
    private final List<@Nullable BitSet> dividedBy = new ArrayList<>();

    private long edition = -1;

    /** Kinds of which some job tells nodes, or processors, apart. */
    private BitSet divided = new BitSet();

    /** Ids of jobs by which kinds were divided, one or more for each; they are asked first, for they mostly still wait. */
    private final Set<String> dividers = new LinkedHashSet<>();

    /** By position, the node that stands for its bucket; itself outside of buckets. */
    private int[] leaders = new int[0];

    /** By position of a leader, its bucket. */
    private final Map<Integer, BitSet> buckets = new LinkedHashMap<>();

    NodeBuckets(JobTable jobs, NodeTable nodes, Placement placement, ReservationAccess access, PlanKeyTable planKeys) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        this.access = access;
        this.planKeys = planKeys;
    }

    /** Returns whether jobs tell other nodes apart than they did when the buckets were formed. */
    boolean stale() {
        return edition != planKeys.edition() || !divided().equals(divided);
    }

    /**
     * Forms the buckets.
     *
     * @param given by node and resource, what may be given now
     * @param left the same, what running jobs leave undedicated
     */
    void form(int[] given, int[] left) {
        findKinds();
        divided = divided();
        int size = nodes.size();
        leaders = new int[size];
        buckets.clear();
        for (int position = 0; position < size; position++) {
            leaders[position] = position;
        }
        if (divided.cardinality() == members.size()) {
            return;
        }
        BitSet uneven = uneven(given, left);
        for (int kind = 0; kind < members.size(); kind++) {
            BitSet bucket = (BitSet) members.get(kind).clone();
            bucket.andNot(uneven);
            if (!divided.get(kind) && bucket.cardinality() > 1) {
                int leader = bucket.nextSetBit(0);
                buckets.put(leader, bucket);
                bucket.stream().forEach(position -> leaders[position] = leader);
            }
        }
    }

    /** Returns whether there is any bucket. */
    boolean any() {
        return !buckets.isEmpty();
    }

    /** Returns the position of the node whose timeline counts the node at {@code position}. */
    int leader(int position) {
        return leaders[position];
    }

    /** Returns whether the node at {@code position} is in a bucket. */
    boolean inBucket(int position) {
        return !buckets.isEmpty() && buckets.containsKey(leaders[position]);
    }

    /** Returns the bucket of the node at {@code leader}; null when it leads none. Not to be written. */
    @Nullable
    BitSet bucket(int leader) {
        return buckets.get(leader);
    }

    /** Returns the bucket the node at {@code position} is in, empty when it is in none. Not to be written. */
    BitSet of(int position) {
        return buckets.getOrDefault(leaders[position], NOBODY);
    }

    /** Returns the positions of the leaders with their buckets, ascending. */
    Map<Integer, BitSet> all() {
        return buckets;
    }

    private void findKinds() {
        if (edition == planKeys.edition()) {
            return;
        }
        edition = planKeys.edition();
        dividers.clear();
        members.clear();
        single.clear();
        dividedBy.clear();
        kinds = new int[nodes.size()];
        Map<Kind, Integer> found = new LinkedHashMap<>();
        for (int position = 0; position < kinds.length; position++) {
            EffectiveNode node = nodes.at(position);
            Integer number = found.putIfAbsent(new Kind(node), found.size());
            kinds[position] = number == null ? found.size() - 1 : number;
            if (number == null) {
                members.add(new BitSet());
            }
            if (node.node().plannable() && node.procUnit() == 1) {
                members.get(kinds[position]).set(position);
            }
        }
        for (int kind = 0; kind < members.size(); kind++) {
            single.set(kind, members.get(kind).cardinality() < 2);
        }
    }

    /** Returns the kinds of which some job that waits or runs tells nodes, or processors, apart. */
    private BitSet divided() {
        BitSet found = (BitSet) single.clone();
        if (placement.personal()) {
            found.set(0, members.size());
        }
        JobQueue queue = jobs.queue();
        BitSet asked = new BitSet();
        for (String id : List.copyOf(dividers)) {
            Job job = jobs.get(id);
            if (job != null && (job.waiting() || job.active())) {
                divide(job, asked, found);
            } else {
                dividers.remove(id);
            }
        }
        for (int i = 0; i < queue.size() && found.cardinality() < members.size(); i++) {
            divide(queue.get(i), asked, found);
        }
        for (Job job : jobs.active()) {
            if (found.cardinality() == members.size()) {
                break;
            }
            divide(job, asked, found);
        }
        return found;
    }

    private void divide(Job job, BitSet asked, BitSet found) {
        int before = found.cardinality();
        ask(job, asked, found);
        if (found.cardinality() > before) {
            dividers.add(job.id());
        }
    }

    private void ask(Job job, BitSet asked, BitSet found) {
        if (!placement.indifferent(job)) {
            found.set(0, members.size());
            return;
        }
        PlanKey planKey = planKeys.of(job);
        int place = planKeys.place(job);
        if (asked.get(place)) {
            return;
        }
        asked.set(place);
        while (dividedBy.size() <= place) {
            dividedBy.add(null);
        }
        BitSet those = dividedBy.get(place);
        if (those == null) {
            those = dividedBy(planKey, job.request().requirements());
            dividedBy.set(place, those);
        }
        found.or(those);
    }

    /** Returns the kinds that jobs of {@code planKey}, which ask for {@code requirements}, divide, and those of single nodes. */
    private BitSet dividedBy(PlanKey planKey, List<Requirement> requirements) {
        BitSet found = (BitSet) single.clone();
        for (int i = 0; i < planKey.needs.length; i++) {
            boolean whole = !planKey.dividesNodes()
                    && planKey.nodes[i] == 0
                    && planKey.required[i].isEmpty()
                    && requirements.get(i).nodes() == null
                    && requirements.get(i).nodeCount().isAny()
                    && planKey.needs[i].dividesEvenly(NodeResources.PROCS);
            for (PlanKey.Part part : planKey.parts) {
                divide(part.groups().get(i).nodes(), planKey.needs[i], whole, found);
            }
        }
        return found;
    }

    private void divide(BitSet suitable, TaskNeed need, boolean evenly, BitSet found) {
        for (int kind = 0; kind < members.size(); kind++) {
            BitSet those = members.get(kind);
            if (!found.get(kind) && those.intersects(suitable)) {
                BitSet others = (BitSet) those.clone();
                others.andNot(suitable);
                if (!others.isEmpty() || !evenly || !modest(need.full(), those.nextSetBit(0))) {
                    found.set(kind);
                }
            }
        }
    }

    /** Returns whether amounts are at most the share of their processors of the node at {@code position}. */
    private boolean modest(int[] amounts, int position) {
        int[] capacity = planKeys.resources().capacity();
        int row = position * amounts.length;
        for (int r = 0; r < amounts.length; r++) {
            if (r != NodeResources.PRESENCE
                    && (long) amounts[r] * capacity[row + NodeResources.PROCS]
                            > (long) amounts[NodeResources.PROCS] * capacity[row + r]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the nodes that are unlike others of their kind at present. */
    private BitSet uneven(int[] given, int[] left) {
        BitSet uneven = new BitSet();
        int count = planKeys.resources().count();
        for (int position = 0; position < kinds.length; position++) {
            boolean even = !placement.busy(position)
                    && nodes.at(position).access() == NodeAccessPolicy.SHARED
                    && access.open(nodes.at(position).id());
            for (int r = 0; even && r < count; r++) {
                even = given[position * count + r] == left[position * count + r] && left[position * count + r] >= 0;
            }
            uneven.set(position, !even);
        }
        int[] held = new int[count];
        for (Job job : jobs.active()) {
            for (NodeShare share : job.shares()) {
                int position = nodes.position(share.nodeId());
                if (position >= 0 && !uneven.get(position)) {
                    Arrays.fill(held, 0);
                    planKeys.resources().add(share, job.request().credentials().jobClass(), held, 0);
                    uneven.set(position, planKeys.sharing(job) == NodeSharing.NOBODY || !modest(held, position));
                }
            }
        }
        return uneven;
    }
}
