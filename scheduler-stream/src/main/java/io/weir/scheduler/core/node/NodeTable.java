package io.weir.scheduler.core.node;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a cluster in index order, with what active jobs hold of each. Keeps the set of nodes
 * with something free up to date, and the {@linkplain NodeSums sums}, so that no question costs a scan. Owned by the core's thread.
 */
public final class NodeTable {
    private static final Comparator<EffectiveNode> ORDER =
            Comparator.comparingInt(EffectiveNode::index).thenComparing(EffectiveNode::id);

    /** By id; the value's position is its place in {@link #order}. */
    private final Map<String, NodeSlot> slots = new LinkedHashMap<>();

    /** In index order. */
    private final List<NodeSlot> order = new ArrayList<>();

    /** Positions of accepting nodes with a free processor. */
    private final BitSet open = new BitSet();

    /** Until when reservations keep nodes that are down or drained, by id, epoch seconds. */
    private SortedMap<String, Long> kept = Collections.emptySortedMap();

    /** What jobs hold on nodes that are not known, by node id: it counts once the node appears. */
    private final Map<String, SortedMap<String, NodeShare>> heldElsewhere = new LinkedHashMap<>();

    private final NodeSums sums = new NodeSums();

    /** When what a node is, says of itself or gives to jobs last changed. */
    private final ChangeStamps changes = new ChangeStamps();

    private final MessageDeadlines deadlines = new MessageDeadlines();

    private SitePolicy policy = SitePolicy.DEFAULT;
    private long nameBytes;
    private long layout;
    private long condition;
    private long uses;

    /** What the nodes have in common; null after one of them changed. */
    private @Nullable NodeStatistics statistics;

    /** Returns the node with {@code id} as reported; null when there is none. */
    public @Nullable Node get(String id) {
        NodeSlot slot = slots.get(id);
        return slot == null ? null : slot.node.node();
    }

    /** Returns the node with {@code id} as configured; null when there is none. */
    public @Nullable EffectiveNode effective(String id) {
        NodeSlot slot = slots.get(id);
        return slot == null ? null : slot.node;
    }

    /** Returns the sums over all nodes. */
    public NodeSums sums() {
        return sums;
    }

    /** Returns when the next message of a node expires, epoch seconds; {@link NodeMessage#NEVER} for none. */
    public long nextExpiry() {
        return deadlines.next();
    }

    /**
     * Returns nodes with a message that is gone at {@code now}, those whose first went earliest first, then by id.
     *
     * @param most returns no more than so many
     */
    public List<String> expired(long now, int most) {
        return deadlines.due(now, most);
    }

    /** Returns how many bytes the names of all nodes take in a list. */
    public long nameBytes() {
        return nameBytes;
    }

    /** Returns how many bytes a node takes in a list at most, whatever else the list says of it. */
    public static int nameBytes(String id) {
        int bytes = Limit.NODE_NAME_EXTRA;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        return bytes;
    }

    /** Returns the place of the node with {@code id} in index order, or -1. */
    public int position(String id) {
        NodeSlot slot = slots.get(id);
        return slot == null ? -1 : slot.position;
    }

    /** Sees all nodes through {@code inForce} from now on. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        statistics = null;
        layout++;
        condition++;
        for (NodeSlot slot : order) {
            count(slot, -1);
            slot.node = effective(slot.node.node());
        }
        order.sort((a, b) -> ORDER.compare(a.node, b.node));
        open.clear();
        for (int i = 0; i < order.size(); i++) {
            order.get(i).position = i;
            count(order.get(i), 1);
        }
    }

    /** Puts a version in force and returns the one it replaces; null for a new node. */
    public @Nullable Node put(Node node) {
        EffectiveNode effective = effective(node);
        NodeSlot slot = slots.get(node.id());
        if (slot == null) {
            statistics = null;
            slot = new NodeSlot(effective);
            SortedMap<String, NodeShare> held = heldElsewhere.remove(node.id());
            if (held != null) {
                held.forEach(slot::add);
            }
            slots.put(node.id(), slot);
            nameBytes += nameBytes(node.id());
            deadlines.follow(null, node);
            insert(slot);
            layout++;
            condition++;
            count(slot, 1);
            return null;
        }
        Node old = slot.node.node();
        deadlines.follow(old, node);
        boolean like = slot.node.likeFor(effective);
        if (!like) {
            layout++;
        }
        if (!like || !slot.node.isInTheConditionOf(effective)) {
            condition++;
        }
        count(slot, -1);
        boolean moved = ORDER.compare(slot.node, effective) != 0;
        if (moved) {
            statistics = null;
            order.remove(slot.position);
            renumber(slot.position);
        }
        NodeStatistics common = statistics;
        if (common != null) {
            common.count(slot.position, slot.node, -1);
            common.count(slot.position, effective, 1);
        }
        slot.node = effective;
        if (moved) {
            insert(slot);
        }
        count(slot, 1);
        return old;
    }

    /**
     * Hears until when reservations keep nodes that are down or drained: by id, epoch seconds. They are expected back then.
     * Returns whether that is news.
     */
    public boolean keep(SortedMap<String, Long> until) {
        if (kept.equals(until)) {
            return false;
        }
        SortedMap<String, Long> before = kept;
        kept = Collections.unmodifiableSortedMap(new TreeMap<>(until));
        SortedSet<String> ids = new TreeSet<>(before.keySet());
        ids.addAll(kept.keySet());
        for (String id : ids) {
            NodeSlot slot = slots.get(id);
            if (slot != null && !Objects.equals(before.get(id), kept.get(id))) {
                put(slot.node.node());
            }
        }
        return true;
    }

    private EffectiveNode effective(Node node) {
        return EffectiveNode.of(node, policy, kept.getOrDefault(node.id(), EffectiveNode.NOT_KEPT));
    }

    /** Removes a node; what jobs hold of it is remembered in case it comes back. */
    public void remove(String id) {
        NodeSlot slot = slots.remove(id);
        if (slot == null) {
            return;
        }
        statistics = null;
        layout++;
        condition++;
        nameBytes -= nameBytes(id);
        deadlines.follow(slot.node.node(), null);
        count(slot, -1);
        if (!slot.shares.isEmpty()) {
            heldElsewhere.put(id, slot.shares);
        }
        order.remove(slot.position);
        renumber(slot.position);
    }

    /** A job takes {@code shares}. */
    public void hold(String jobId, List<NodeShare> shares) {
        hold(jobId, shares, positions(shares));
    }

    /** A job takes {@code shares}, which are at {@code positions}; -1 stands for a node that is not known. */
    public void hold(String jobId, List<NodeShare> shares, int[] positions) {
        uses++;
        for (int i = 0; i < positions.length; i++) {
            NodeShare share = shares.get(i);
            NodeSlot slot = positions[i] < 0 ? null : order.get(positions[i]);
            if (slot == null) {
                heldElsewhere
                        .computeIfAbsent(share.nodeId(), id -> new TreeMap<>())
                        .put(jobId, share);
            } else {
                int before = slot.procs;
                slot.add(jobId, share);
                heldChanged(slot, before);
            }
        }
    }

    /** A job gives {@code shares} back. */
    public void release(String jobId, List<NodeShare> shares) {
        release(jobId, shares, positions(shares));
    }

    /** A job gives {@code shares} back, which are at {@code positions}; -1 stands for a node that is not known. */
    public void release(String jobId, List<NodeShare> shares, int[] positions) {
        uses++;
        for (int i = 0; i < positions.length; i++) {
            NodeShare share = shares.get(i);
            NodeSlot slot = positions[i] < 0 ? null : order.get(positions[i]);
            if (slot == null) {
                SortedMap<String, NodeShare> held = heldElsewhere.get(share.nodeId());
                if (held != null) {
                    held.remove(jobId);
                    if (held.isEmpty()) {
                        heldElsewhere.remove(share.nodeId());
                    }
                }
            } else {
                int before = slot.procs;
                slot.remove(jobId);
                heldChanged(slot, before);
            }
        }
    }

    /** Returns the places of the nodes of {@code shares} in index order, -1 for a node that is not known. */
    public int[] positions(List<NodeShare> shares) {
        int[] positions = new int[shares.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position(shares.get(i).nodeId());
        }
        return positions;
    }

    /** Hears that what {@code shares} of a job mean to others changed, though they are what they were: until when, or whose. */
    public void reconsider(List<NodeShare> shares) {
        for (NodeShare share : shares) {
            NodeSlot slot = slots.get(share.nodeId());
            if (slot != null) {
                changes.mark(slot.position);
            }
        }
        uses++;
    }

    /** Returns how often a node, or what jobs hold of one, changed so far; to be given to {@link #changedSince}. */
    public long changes() {
        return changes.now();
    }

    /**
     * Returns the positions of the nodes that changed after the first {@code seen} changes: in what they report, or in what
     * jobs hold of them. Says nothing of nodes that came, went or moved meanwhile, see {@link #layout}.
     */
    public BitSet changedSince(long seen) {
        return changes.since(seen, order.size());
    }

    /** Returns whether the node at {@code position} is among {@link #changedSince(long)}. */
    public boolean changedSince(long seen, int position) {
        return changes.isAfter(seen, position);
    }

    /** Returns the processors of {@code shares} that lie on nodes jobs may be planned on. */
    public long plannable(List<NodeShare> shares, long total) {
        if (sums.unplannable() == 0 && heldElsewhere.isEmpty()) {
            return total;
        }
        long sum = 0;
        for (NodeShare share : shares) {
            NodeSlot slot = slots.get(share.nodeId());
            if (slot != null && slot.node.plannableNow()) {
                sum += share.procs();
            }
        }
        return sum;
    }

    /** Adds to {@code sums} the processors of {@code shares} on such nodes, by the same seconds. */
    public void awaited(List<NodeShare> shares, SortedMap<Long, Long> sums) {
        for (NodeShare share : shares) {
            NodeSlot slot = slots.get(share.nodeId());
            if (slot != null && slot.node.isAwaited() && !slot.node.isKept()) {
                sums.merge(slot.node.awaitedSeconds(), (long) share.procs(), Long::sum);
            }
        }
    }

    /** Returns how many nodes accept jobs and have a processor that no job holds. */
    public int openCount() {
        return open.cardinality();
    }

    /** Returns how many of them lie from {@code from} up to but not including {@code to}. */
    public int openCount(int from, int to) {
        return open.get(from, to).cardinality();
    }

    /** Returns the first node at or after {@code position} with something free, or -1. */
    public int nextOpen(int position) {
        return open.nextSetBit(position);
    }

    /** Returns whether the node at {@code position} has nothing free, or does not accept jobs. */
    public boolean closed(int position) {
        return !open.get(position);
    }

    /** Returns the last node at or before {@code position} with something free, or -1. */
    public int previousOpen(int position) {
        return open.previousSetBit(position);
    }

    /** Returns what the nodes have in common. */
    public NodeStatistics statistics() {
        NodeStatistics known = statistics;
        if (known == null) {
            known = new NodeStatistics(this);
            statistics = known;
        }
        return known;
    }

    /** Returns how many nodes there are; positions run from 0 to one less. */
    public int size() {
        return order.size();
    }

    /** Returns the node at {@code position} in index order. */
    public EffectiveNode at(int position) {
        return order.get(position).node;
    }

    /** Returns what jobs hold of the node at {@code position}, D. */
    public Capacity heldAt(int position) {
        NodeSlot slot = order.get(position);
        return new Capacity(slot.procs, slot.memoryMb, slot.swapMb, slot.diskMb);
    }

    /** Returns the processors that jobs hold of the node at {@code position}. */
    public int heldProcsAt(int position) {
        return order.get(position).procs;
    }

    /** Returns the memory that jobs hold of the node at {@code position}, MB. */
    public long heldMemoryAt(int position) {
        return order.get(position).memoryMb;
    }

    /** Returns the swap that jobs hold of the node at {@code position}, MB. */
    public long heldSwapAt(int position) {
        return order.get(position).swapMb;
    }

    /** Returns the disk that jobs hold of the node at {@code position}, MB. */
    public long heldDiskAt(int position) {
        return order.get(position).diskMb;
    }

    /** Returns how many jobs hold something of the node at {@code position}. */
    public int jobsAt(int position) {
        return order.get(position).jobs;
    }

    /**
     * Returns a number that changes whenever a node comes, goes, moves or changes what it is: its configured amounts,
     * features and the like, but neither its state nor what is measured on it.
     */
    public long layout() {
        return layout;
    }

    /**
     * Returns a number that changes whenever {@link #layout} does, whenever a node changes its state or its price, and when
     * another policy comes in force.
     */
    public long condition() {
        return condition;
    }

    /** Returns a number that changes whenever what jobs hold of nodes changes, or what that means to others. */
    public long uses() {
        return uses;
    }

    /** Returns what each job holds of the node at {@code position}, by job id. */
    public SortedMap<String, NodeShare> sharesAt(int position) {
        return Collections.unmodifiableSortedMap(order.get(position).shares);
    }

    /** Returns the free processors of the node at {@code position}. */
    public int freeAt(int position) {
        NodeSlot slot = order.get(position);
        return slot.unheld();
    }

    /** Returns all nodes in index order. */
    public Collection<Node> all() {
        return order.stream().map(slot -> slot.node.node()).toList();
    }

    private void insert(NodeSlot slot) {
        int last = order.size() - 1;
        if (last < 0 || ORDER.compare(order.get(last).node, slot.node) < 0) {
            slot.position = order.size();
            order.add(slot);
            return;
        }
        int found = Collections.binarySearch(order, slot, (a, b) -> ORDER.compare(a.node, b.node));
        int position = found >= 0 ? found : -found - 1;
        order.add(position, slot);
        renumber(position);
    }

    /** Corrects positions and the open set from {@code first} on, after an insertion or a removal there. */
    private void renumber(int first) {
        open.clear(first, Math.max(first, open.length()));
        for (int i = first; i < order.size(); i++) {
            NodeSlot slot = order.get(i);
            slot.position = i;
            open.set(i, slot.node.accepting() && slot.unheld() > 0);
        }
    }

    /** Jobs hold other processors of a node than {@code before}. */
    private void heldChanged(NodeSlot slot, int before) {
        sums.heldChanged(slot, before);
        open.set(slot.position, slot.node.accepting() && slot.unheld() > 0);
        changes.mark(slot.position);
    }

    private void count(NodeSlot slot, int sign) {
        sums.count(slot, sign);
        open.set(slot.position, sign > 0 && slot.node.accepting() && slot.unheld() > 0);
        changes.mark(slot.position);
    }
}
