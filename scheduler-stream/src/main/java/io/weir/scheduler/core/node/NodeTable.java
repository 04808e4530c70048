package io.weir.scheduler.core.node;

import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a cluster in index order, with the processors that active jobs hold on each. Keeps the sums the profile
 * starts from and the set of nodes with something free up to date, so that no question costs a scan. Owned by the core's
 * thread.
 */
public final class NodeTable {
    private static final Comparator<Node> ORDER =
            Comparator.comparingInt(Node::index).thenComparing(Node::id);

    /** By id; the value's position is its place in {@link #order}. */
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    /** In index order. */
    private final List<Slot> order = new ArrayList<>();

    /** Positions of accepting nodes with a free processor. */
    private final BitSet open = new BitSet();

    /** Processors of jobs on nodes that are not known, by node id: they count once the node appears. */
    private final Map<String, Integer> heldElsewhere = new LinkedHashMap<>();

    private long configured;
    private long plannable;
    private long free;
    private long busyFree;
    private int unplannable;

    /** Returns the node with {@code id}; null when there is none. */
    public @Nullable Node get(String id) {
        Slot slot = slots.get(id);
        return slot == null ? null : slot.node;
    }

    /** Puts a version in force and returns the one it replaces; null for a new node. */
    public @Nullable Node put(Node node) {
        Slot slot = slots.get(node.id());
        if (slot == null) {
            Integer held = heldElsewhere.remove(node.id());
            slot = new Slot(node, held == null ? 0 : held);
            slots.put(node.id(), slot);
            insert(slot);
            count(slot, 1);
            return null;
        }
        Node old = slot.node;
        count(slot, -1);
        slot.node = node;
        count(slot, 1);
        return old;
    }

    /** Removes a node; what jobs hold of it is remembered in case it comes back. */
    public void remove(String id) {
        Slot slot = slots.remove(id);
        if (slot == null) {
            return;
        }
        count(slot, -1);
        if (slot.held > 0) {
            heldElsewhere.put(id, slot.held);
        }
        order.remove(slot.position);
        renumber(slot.position);
    }

    /** A job takes {@code allocation}. */
    public void hold(List<NodeAllocation> allocation) {
        for (NodeAllocation share : allocation) {
            move(share.getNodeId(), share.getProcs());
        }
    }

    /** A job gives {@code allocation} back. */
    public void release(List<NodeAllocation> allocation) {
        for (NodeAllocation share : allocation) {
            move(share.getNodeId(), -share.getProcs());
        }
    }

    /** Returns the processors of all nodes. */
    public long configured() {
        return configured;
    }

    /** Returns the processors of all nodes that jobs may be planned on. */
    public long plannable() {
        return plannable;
    }

    /** Returns the free processors of all nodes that accept jobs now. */
    public long free() {
        return free;
    }

    /** Returns the unheld processors of nodes that report themselves busy. */
    public long busyFree() {
        return busyFree;
    }

    /** Returns the processors of {@code allocation} that lie on nodes jobs may be planned on. */
    public long plannable(List<NodeAllocation> allocation, long total) {
        if (unplannable == 0 && heldElsewhere.isEmpty()) {
            return total;
        }
        long sum = 0;
        for (NodeAllocation share : allocation) {
            Slot slot = slots.get(share.getNodeId());
            if (slot != null && slot.node.plannable()) {
                sum += share.getProcs();
            }
        }
        return sum;
    }

    /** Returns the first node at or after {@code position} with something free, or -1. */
    public int nextOpen(int position) {
        return open.nextSetBit(position);
    }

    /** Returns the last node at or before {@code position} with something free, or -1. */
    public int previousOpen(int position) {
        return open.previousSetBit(position);
    }

    /** Returns how many nodes there are; positions run from 0 to one less. */
    public int size() {
        return order.size();
    }

    /** Returns the node at {@code position} in index order. */
    public Node at(int position) {
        return order.get(position).node;
    }

    /** Returns the free processors of the node at {@code position}. */
    public int freeAt(int position) {
        Slot slot = order.get(position);
        return Math.max(0, slot.node.procs() - slot.held);
    }

    /** Returns all nodes in index order. */
    public Collection<Node> all() {
        return order.stream().map(slot -> slot.node).toList();
    }

    private void move(String id, int procs) {
        Slot slot = slots.get(id);
        if (slot == null) {
            int held = heldElsewhere.getOrDefault(id, 0) + procs;
            if (held > 0) {
                heldElsewhere.put(id, held);
            } else {
                heldElsewhere.remove(id);
            }
            return;
        }
        count(slot, -1);
        slot.held += procs;
        count(slot, 1);
    }

    private void insert(Slot slot) {
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
            Slot slot = order.get(i);
            slot.position = i;
            open.set(i, slot.node.accepting() && slot.node.procs() > slot.held);
        }
    }

    private void count(Slot slot, int sign) {
        Node node = slot.node;
        int unheld = Math.max(0, node.procs() - slot.held);
        configured += (long) sign * node.procs();
        if (node.plannable()) {
            plannable += (long) sign * node.procs();
            if (node.accepting()) {
                free += (long) sign * unheld;
            } else {
                busyFree += (long) sign * unheld;
            }
        } else {
            unplannable += sign;
        }
        open.set(slot.position, sign > 0 && node.accepting() && unheld > 0);
    }

    /** A node, its place in the order and what jobs hold of it. */
    private static final class Slot {
        private Node node;
        private int position;
        private int held;

        Slot(Node node, int held) {
            this.node = node;
            this.held = held;
        }
    }
}
