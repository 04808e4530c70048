package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.priority.Component;
import io.weir.scheduler.core.policy.AllocationChoice;
import io.weir.scheduler.core.policy.AllocationPolicyKind;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.TaskDistribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for one requirement of a job among candidates: affinity tier by tier, within a tier in the order of the
 * allocation policy, and deals the tasks over them. Decides nothing about time: the candidates are what could hold tasks
 * for the whole interval. Owned by the core's thread.
 */
public final class Allocator {
    private static final int TIERS = Affinity.values().length;

    private final NodeTable nodes;
    private final NodePriorityEvaluator values;
    private final Availability availability;
    private final Feasibility feasibility;
    private final PluginNodeOrder advised;
    private final SlotOrder sorter = new SlotOrder();
    private final TaskDistributor distributor = new TaskDistributor();
    private final ContiguousChoice contiguous = new ContiguousChoice();
    private final BalancedChoice balanced = new BalancedChoice();
    private final int[] tierEnds = new int[TIERS];
    private SitePolicy policy = SitePolicy.DEFAULT;
    private long seed;
    private int[] order = new int[16];
    private int[] scratch = new int[16];
    private int[] room = new int[16];
    private int[] index = new int[16];
    private double[] key = new double[16];

    Allocator(
            NodeTable nodes,
            JobTable jobs,
            Availability availability,
            Feasibility feasibility,
            NodeHistory history,
            FreeTime freeTime,
            PluginAllocationTable pluginAllocations) {
        this.nodes = nodes;
        this.availability = availability;
        this.feasibility = feasibility;
        advised = new PluginNodeOrder(pluginAllocations);
        values = new NodePriorityEvaluator(nodes, jobs, availability, history, freeTime);
    }

    /** Starts an iteration. */
    void begin(SitePolicy inForce, long iteration) {
        policy = inForce;
        advised.begin();
        seed = NodePriorityEvaluator.mix(inForce.scheduler().randomSeed() ^ NodePriorityEvaluator.mix(iteration + 1));
    }

    /**
     * Chooses nodes.
     *
     * @return the nodes with the tasks each gets, best node first; empty when the tasks do not all find a place
     */
    public List<TaskShare> allocate(AllocationRequest request, Candidates candidates) {
        int size = candidates.size();
        if (size == 0) {
            return List.of();
        }
        AllocationPolicyKind kind = kind(request, candidates);
        grow(size);
        for (int i = 0; i < size; i++) {
            room[i] = candidates.tasks(i);
            index[i] = candidates.node(i).index();
        }
        TaskShape shape = feasibility.taskShape(request.requirement(), distribution(request));
        boolean oneTier = rank(kind, request, candidates);
        tiers(candidates, oneTier);
        int from = 0;
        for (int tier = 0; tier < TIERS; tier++) {
            int to = tierEnds[tier];
            if (to == from) {
                continue;
            }
            int[] slots = order;
            int length = to;
            boolean placed;
            switch (kind) {
                case CONTIGUOUS -> {
                    System.arraycopy(order, 0, scratch, 0, to);
                    slots = scratch;
                    length = contiguous.choose(slots, to, index, room, shape, distributor);
                    placed = length > 0;
                }
                case MAXBALANCE -> {
                    System.arraycopy(order, 0, scratch, 0, to);
                    slots = scratch;
                    length =
                            balanced.choose(slots, to, key, room, shape, distributor, (a, b) -> ties(candidates, a, b));
                    placed = length > 0;
                }
                case FIRSTAVAILABLE, LASTAVAILABLE, PRIORITY, CPULOAD, MINRESOURCE, FASTEST, PLUGIN -> {
                    sort(kind, request, candidates, from, to);
                    placed = distributor.deal(slots, 0, to, room, shape);
                }
                default -> throw new IllegalStateException(kind.name());
            }
            if (placed) {
                return taken(request, candidates, slots, length);
            }
            from = to;
        }
        return List.of();
    }

    /** Returns who knows the words of plug-ins. */
    PluginNodeOrder advised() {
        return advised;
    }

    /** Returns whether the nodes a policy in force chooses for later depend on neither the moment nor chance. */
    boolean settled() {
        return policy.allocationChoices().stream().allMatch(this::settled);
    }

    /** Returns whether the nodes that {@code choice} takes for later depend on neither the moment nor chance. */
    boolean settled(AllocationChoice choice) {
        return switch (choice.kind()) {
            case LASTAVAILABLE, MINRESOURCE, CPULOAD, CONTIGUOUS, MAXBALANCE -> true;
            case FIRSTAVAILABLE, FASTEST, PLUGIN -> false;
            case PRIORITY -> values.settled();
        };
    }

    /**
     * Returns whether alike nodes are taken by slack and index alone under {@code wished}, or where that is null under the
     * site's policies.
     */
    boolean indifferent(@Nullable AllocationChoice wished) {
        return choices(wished)
                .allMatch(
                        kind -> kind == AllocationPolicyKind.LASTAVAILABLE || kind == AllocationPolicyKind.MINRESOURCE);
    }

    /**
     * Returns whether {@code wished}, or where that is null each of the site's policies, takes any nodes with room enough: not
     * where they have to lie in one run, whose size changes with what others take.
     */
    boolean takesAnyNodes(@Nullable AllocationChoice wished) {
        return choices(wished).noneMatch(kind -> kind == AllocationPolicyKind.CONTIGUOUS);
    }

    /** Returns whether {@code idle} nodes would hold {@code request}, whose policy may ask for one run of indexes. */
    boolean everHolds(AllocationRequest request, Candidates idle) {
        return kind(request, idle) == AllocationPolicyKind.CONTIGUOUS
                ? !allocate(request, idle).isEmpty()
                : idle.totalTasks() >= request.requirement().tasks();
    }

    private Stream<AllocationPolicyKind> choices(@Nullable AllocationChoice wished) {
        List<AllocationChoice> choices = wished != null ? List.of(wished) : policy.allocationChoices();
        return choices.stream().map(AllocationChoice::kind);
    }

    /** Returns the policy by which nodes are chosen: the job's, the partition's, the site's. */
    AllocationChoice choice(PlacementPreferences preferences, Candidates candidates) {
        AllocationChoice wished = preferences.policy();
        if (wished != null) {
            return wished;
        }
        AllocationChoice local = candidates.size() == 0
                ? null
                : policy.partition(candidates.node(0).partition()).allocation();
        return local != null ? local : policy.allocation().policy();
    }

    private AllocationPolicyKind kind(AllocationRequest request, Candidates candidates) {
        AllocationPolicyKind kind = choice(request.preferences(), candidates).kind();
        return kind == AllocationPolicyKind.CPULOAD && !request.immediate() ? AllocationPolicyKind.MINRESOURCE : kind;
    }

    private TaskDistribution distribution(AllocationRequest request) {
        TaskDistribution wished = request.preferences().distribution();
        return wished != null ? wished : policy.allocation().distribution();
    }

    /** Works out the keys the policy sorts by, and returns whether affinity makes no tiers besides the extremes. */
    private boolean rank(AllocationPolicyKind kind, AllocationRequest request, Candidates candidates) {
        int size = candidates.size();
        switch (kind) {
            case PRIORITY -> {
                values.prepare(
                        request.job(),
                        request.requirement(),
                        request.preferences().preference(),
                        request.start(),
                        seed);
                for (int i = 0; i < size; i++) {
                    key[i] = values.value(candidates.position(i), candidates.affinity(i), request.immediate());
                }
                return values.anyNames(candidates, Component.RSVAFFINITY);
            }
            case CPULOAD -> {
                for (int i = 0; i < size; i++) {
                    int position = candidates.position(i);
                    key[i] = nodes.at(position).configured().procs() - availability.load(position);
                    if (key[i] <= 0) {
                        room[i] = 0;
                    }
                }
            }
            case FASTEST, MAXBALANCE -> rankBySpeed(kind, candidates);
            case FIRSTAVAILABLE, LASTAVAILABLE, MINRESOURCE, CONTIGUOUS, PLUGIN -> {
                // Sorted by what the candidates say of themselves.
            }
        }
        return false;
    }

    private void rankBySpeed(AllocationPolicyKind kind, Candidates candidates) {
        boolean speeds = false;
        boolean unequal = false;
        boolean clocked = false;
        for (int i = 0; i < candidates.size(); i++) {
            EffectiveNode node = candidates.node(i);
            speeds |= node.speed() != null;
            unequal |= speed(node) != speed(candidates.node(0));
            clocked |= node.procSpeedMhz() != null;
        }
        boolean bySpeed = kind == AllocationPolicyKind.MAXBALANCE ? !clocked : speeds && unequal;
        for (int i = 0; i < candidates.size(); i++) {
            EffectiveNode node = candidates.node(i);
            Integer mhz = node.procSpeedMhz();
            if (bySpeed) {
                key[i] = speed(node);
            } else if (clocked) {
                key[i] = mhz == null ? 0 : mhz;
            } else {
                key[i] = NodePriorityEvaluator.draw(seed, candidates.position(i));
            }
        }
    }

    private static double speed(EffectiveNode node) {
        Double speed = node.speed();
        return speed == null ? 1 : speed;
    }

    /** Groups the slots by tier into {@link #order}. */
    private void tiers(Candidates candidates, boolean oneTier) {
        Arrays.fill(tierEnds, 0);
        int size = candidates.size();
        for (int i = 0; i < size; i++) {
            tierEnds[tier(candidates.affinity(i), oneTier)]++;
        }
        int sum = 0;
        for (int tier = 0; tier < TIERS; tier++) {
            int count = tierEnds[tier];
            tierEnds[tier] = sum;
            sum += count;
        }
        for (int i = 0; i < size; i++) {
            order[tierEnds[tier(candidates.affinity(i), oneTier)]++] = i;
        }
    }

    private static int tier(Affinity affinity, boolean oneTier) {
        return switch (affinity) {
            case REQUIRED -> 0;
            case POSITIVE -> 1;
            case NEUTRAL -> oneTier ? 1 : 2;
            case NONE -> oneTier ? 1 : 3;
            case NEGATIVE -> oneTier ? 1 : 4;
            case PREEMPTION -> 5;
        };
    }

    private void sort(AllocationPolicyKind kind, AllocationRequest request, Candidates candidates, int from, int to) {
        switch (kind) {
            case FIRSTAVAILABLE -> {
                if (!request.immediate()) {
                    sorter.sort(
                            order,
                            from,
                            to,
                            (a, b) -> Long.compare(candidates.availableSince(a), candidates.availableSince(b)));
                }
            }
            case LASTAVAILABLE -> sortLast(candidates, from, to);
            case PLUGIN -> {
                sortLast(candidates, from, to);
                advised.order(
                        policy,
                        choice(request.preferences(), candidates).plugin(),
                        request,
                        candidates,
                        order,
                        from,
                        to,
                        room);
            }
            case PRIORITY, CPULOAD, FASTEST ->
                sorter.sortDescending(order, from, to, key, (a, b) -> ties(candidates, a, b));
            case MINRESOURCE ->
                sorter.sort(order, from, to, (a, b) -> {
                    int least = least(candidates.node(a), candidates.node(b));
                    return least != 0 ? least : ties(candidates, a, b);
                });
            case CONTIGUOUS, MAXBALANCE -> throw new IllegalStateException(kind + " chooses sets, it does not sort");
        }
    }

    private void sortLast(Candidates candidates, int from, int to) {
        boolean bounded = false;
        for (int i = from; i < to && !bounded; i++) {
            bounded = candidates.slack(order[i]) != Candidates.FOREVER;
        }
        for (int a = from, b = to - 1; a < b; a++, b--) {
            int slot = order[a];
            order[a] = order[b];
            order[b] = slot;
        }
        if (bounded) {
            sorter.sort(order, from, to, (a, b) -> ties(candidates, a, b));
        }
    }

    /** The common tie-break: least slack, then highest index. */
    private static int ties(Candidates candidates, int a, int b) {
        int slack = Long.compare(candidates.slack(a), candidates.slack(b));
        return slack != 0 ? slack : Integer.compare(b, a);
    }

    private static int least(EffectiveNode a, EffectiveNode b) {
        Capacity mine = a.configured();
        Capacity its = b.configured();
        int order = Long.compare(mine.memoryMb(), its.memoryMb());
        if (order == 0) {
            order = Integer.compare(mine.procs(), its.procs());
        }
        if (order == 0) {
            order = Long.compare(mine.diskMb(), its.diskMb());
        }
        if (order == 0) {
            order = Long.compare(mine.swapMb(), its.swapMb());
        }
        return order != 0
                ? order
                : Integer.compare(a.features().size(), b.features().size());
    }

    private List<TaskShare> taken(AllocationRequest request, Candidates candidates, int[] slots, int length) {
        List<TaskShare> taken = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (distributor.taken(i) > 0) {
                taken.add(new TaskShare(candidates.position(slots[i]), request.number(), distributor.taken(i)));
            }
        }
        return taken;
    }

    private void grow(int size) {
        if (order.length < size) {
            int length = Math.max(size, 2 * order.length);
            order = new int[length];
            scratch = new int[length];
            room = new int[length];
            index = new int[length];
            key = new double[length];
        }
    }
}
