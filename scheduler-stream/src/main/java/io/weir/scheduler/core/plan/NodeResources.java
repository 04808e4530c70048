package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.NodeMinimum;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tracked resources of a cluster as indexes: processors, memory, swap, disk, who is there, then each generic resource,
 * each class that a node limits, and tasks where a node limits them. Amounts are clamped to what an int holds.
 */
final class NodeResources {
    static final int PROCS = 0;
    static final int MEMORY = 1;
    static final int SWAP = 2;
    static final int DISK = 3;

    /** Counts who is on the node, see {@link TaskNeed#PRESENCE}. */
    static final int PRESENCE = 4;

    private static final int FIRST_NAMED = 5;
    private static final int MOST = Integer.MAX_VALUE / 4;

    private final SortedMap<String, Integer> gres = new TreeMap<>();
    private final SortedMap<String, Integer> classes = new TreeMap<>();

    /** Counts the tasks on a node, of all jobs; -1 where no node limits them. */
    private final int tasks;

    private final int count;
    private final int[] capacity;

    /** By position, how many processors one job may have. */
    private final int[] procsOfOneJob;

    /** By resource, how much of it there is for all nodes together that have none of their own; -1 where it does not float. */
    private final long[] floating;

    /** Reads the resources of {@code nodes}. */
    NodeResources(NodeTable nodes) {
        boolean limited = false;
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            limited |= node.maxTasks() != null;
            if (!node.gres().isEmpty()) {
                node.gres().keySet().forEach(name -> gres.put(name, 0));
            }
            if (!node.classes().isEmpty()) {
                node.classes().keySet().forEach(name -> classes.put(name, 0));
            }
        }
        EffectiveNode global = nodes.effective(EffectiveNode.GLOBAL);
        SortedMap<String, Long> shared = global == null ? new TreeMap<>() : global.gres();
        int next = FIRST_NAMED;
        for (Map.Entry<String, Integer> entry : gres.entrySet()) {
            entry.setValue(next++);
        }
        for (Map.Entry<String, Integer> entry : classes.entrySet()) {
            entry.setValue(next++);
        }
        tasks = limited ? next++ : -1;
        count = next;
        capacity = new int[nodes.size() * count];
        procsOfOneJob = new int[nodes.size()];
        floating = new long[count];
        Arrays.fill(floating, -1);
        shared.forEach((name, amount) -> floating[gres.getOrDefault(name, 0)] = amount);
        for (int position = 0; position < nodes.size(); position++) {
            fill(nodes.at(position), position * count, shared);
            procsOfOneJob[position] = nodes.at(position).procsOfOneJob();
        }
    }

    /** Returns the index of the generic resource {@code name}; null when no node has it. */
    @Nullable
    Integer generic(String name) {
        return gres.get(name);
    }

    /** Returns how many resources there are. */
    int count() {
        return count;
    }

    /** Returns the configured amounts, {@link #count} for each node. */
    int[] capacity() {
        return capacity;
    }

    /** Returns how many processors of the node at {@code position} one job may have, however empty it is. */
    int procsOfOneJob(int position) {
        return procsOfOneJob[position];
    }

    /** Returns how much of {@code resource} one job may have of the node at {@code position}. */
    int ofOneJob(int resource, int position) {
        return resource == PROCS ? procsOfOneJob[position] : capacity[position * count + resource];
    }

    /** Returns whether the node at {@code position} takes {@code resource} from what floats over the cluster. */
    boolean floats(int resource, int position) {
        return floating[resource] >= 0 && capacity[position * count + resource] == MOST;
    }

    /** Returns how much of {@code resource} floats over the cluster; -1 where it does not. */
    long floating(int resource) {
        return floating[resource];
    }

    /** Returns the configured amount of {@code resource} of all nodes. */
    long total(int resource) {
        long sum = 0;
        for (int i = resource; i < capacity.length; i += count) {
            sum += capacity[i];
        }
        return sum;
    }

    /** Adds to {@code into} at {@code offset} what {@code share} of a job of {@code jobClass} holds of its node. */
    void add(NodeShare share, @Nullable String jobClass, int[] into, int offset) {
        Capacity held = share.held();
        into[offset + PROCS] += held.procs();
        into[offset + MEMORY] += clamp(held.memoryMb());
        into[offset + SWAP] += clamp(held.swapMb());
        into[offset + DISK] += clamp(held.diskMb());
        into[offset + PRESENCE] += held.procs() > 0 ? 1 : 0;
        if (tasks >= 0) {
            into[offset + tasks] += Math.max(1, share.tasks());
        }
        if (!share.gres().isEmpty()) {
            share.gres().forEach((name, amount) -> {
                Integer index = gres.get(name);
                if (index != null) {
                    into[offset + index] += clamp(amount);
                }
            });
        }
        if (classes.isEmpty()) {
            return;
        }
        if (jobClass != null) {
            addInitiators(share, jobClass, jobClass, into, offset);
        }
        for (String own : share.ownClasses().keySet()) {
            if (!own.equals(jobClass)) {
                addInitiators(share, own, jobClass, into, offset);
            }
        }
    }

    private void addInitiators(NodeShare share, String of, @Nullable String jobClass, int[] into, int offset) {
        Integer initiators = classes.get(of);
        if (initiators != null) {
            into[offset + initiators] += share.tasksIn(of, jobClass);
        }
    }

    /**
     * Returns what a task of {@code requirement} takes. Generic resources that no node has are left out: no node suits
     * such a request in the first place.
     *
     * @param jobClass class in which it counts on its node; null for none
     * @param sharing who else may be on its node
     * @param single whether a node takes one task only
     */
    TaskNeed need(
            Requirement requirement,
            @Nullable String jobClass,
            NodeSharing sharing,
            boolean single,
            boolean exactNode) {
        int[] full = new int[count];
        TaskResources each = requirement.resources();
        int[] perNode = perNode(each.perNode());
        full[PROCS] = each.procs();
        full[MEMORY] = clamp(each.memoryMb());
        full[SWAP] = clamp(each.swapMb());
        full[DISK] = clamp(each.diskMb());
        full[PRESENCE] = 1;
        if (tasks >= 0) {
            full[tasks] = 1;
        }
        addGeneric(each.gres(), full);
        Integer initiators = jobClass == null ? null : classes.get(jobClass);
        if (initiators != null) {
            full[initiators] = 1;
        }
        Integer tasksPerNode = requirement.tasksPerNode();
        int mostTasks = requirement.nodeCount().mostTasks();
        int cap = single ? 1 : mostTasks > 0 ? mostTasks : Integer.MAX_VALUE;
        if (tasksPerNode == null) {
            return new TaskNeed(full, perNode, cap, 1, 1, PRESENCE, sharing);
        }
        boolean exact = !requirement.tasksPerNodeAtLeast();
        int most = exact && exactNode ? Math.min(cap, tasksPerNode) : cap;
        return new TaskNeed(full, perNode, most, tasksPerNode, exact ? tasksPerNode : 1, PRESENCE, sharing);
    }

    private int[] perNode(NodeMinimum minimum) {
        if (minimum.isNone()) {
            return new int[0];
        }
        int[] amounts = new int[count];
        amounts[PROCS] = minimum.procs();
        amounts[MEMORY] = clamp(minimum.memoryMb());
        addGeneric(minimum.gres(), amounts);
        return amounts;
    }

    private void addGeneric(SortedMap<String, Long> asked, int[] into) {
        for (Map.Entry<String, Long> entry : asked.entrySet()) {
            Integer index = gres.get(entry.getKey());
            if (index != null) {
                into[index] = clamp(entry.getValue());
            }
        }
    }

    /**
     * Returns a need that takes no more than the fewest tasks of {@code need} a node of {@code group} can get: their
     * processors, down to a power of four, and of the rest what is scarcer on some node than the processors are. Needs
     * for few processors share it, whatever ordinary amount of memory they take; the fewer floors, the fewer lists of
     * gaps there are to keep, and a search looks at few more nodes in vain.
     *
     * @param kinds positions of nodes, one of each kind that is in the group
     */
    TaskNeed floor(TaskNeed need, int[] kinds) {
        int fewest = need.fewest();
        long procs = need.full()[PROCS];
        int[] amounts = new int[count];
        for (int r = 0; r < count; r++) {
            long amount = r == PRESENCE ? 0 : need.taken(r, 1);
            boolean scarce = r == PROCS;
            for (int k = 0; amount > 0 && !scarce && k < kinds.length; k++) {
                int row = kinds[k] * count;
                scarce = amount * capacity[row + PROCS] > procs * capacity[row + r];
            }
            amounts[r] = scarce ? (int) Math.min(MOST, (long) need.full()[r] * fewest) : 0;
            amounts[r] = scarce ? Math.max(amounts[r], (int) need.taken(r, 1)) : 0;
        }
        if (amounts[PROCS] > 0) {
            int log = 31 - Integer.numberOfLeadingZeros(amounts[PROCS]);
            amounts[PROCS] = 1 << (log - log % 2);
        }
        return need.withAmounts(amounts);
    }

    /** Returns the processors among {@code amounts} and nothing else. */
    static int[] procsOnly(int[] amounts) {
        int[] procs = new int[amounts.length];
        procs[PROCS] = amounts[PROCS];
        return procs;
    }

    private void fill(EffectiveNode node, int offset, SortedMap<String, Long> shared) {
        Capacity configured = node.configured();
        capacity[offset + PROCS] = configured.procs();
        capacity[offset + MEMORY] = clamp(configured.memoryMb());
        capacity[offset + SWAP] = clamp(configured.swapMb());
        capacity[offset + DISK] = clamp(configured.diskMb());
        capacity[offset + PRESENCE] = TaskNeed.PRESENCE;
        if (tasks >= 0) {
            Integer mostTasks = node.maxTasks();
            capacity[offset + tasks] = mostTasks == null ? MOST : mostTasks;
        }
        if (!gres.isEmpty()) {
            shared.forEach((name, amount) -> capacity[offset + gres.getOrDefault(name, 0)] = MOST);
            node.gres().forEach((name, amount) -> capacity[offset + gres.getOrDefault(name, 0)] = clamp(amount));
        }
        if (!classes.isEmpty()) {
            classes.forEach((name, index) -> {
                Long initiators = node.classes().get(name);
                capacity[offset + index] = initiators == null ? node.classes().isEmpty() ? MOST : 0 : clamp(initiators);
            });
        }
    }

    private static int clamp(long amount) {
        return (int) Math.max(0, Math.min(MOST, amount));
    }
}
