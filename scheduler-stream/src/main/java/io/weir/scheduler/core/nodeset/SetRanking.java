package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import java.util.Arrays;

/** Compares usable sets by priority type; what that leaves open is decided by the order of sets. */
final class SetRanking {
    private final SetFamily family;
    private final SetTally tally;
    private final NodeSetPriority priority;
    private final long tasks;

    private SetRanking(SetFamily family, SetTally tally, NodeSetPriority priority, long tasks) {
        this.family = family;
        this.tally = tally;
        this.priority = priority;
        this.tasks = tasks;
    }

    /**
     * Returns the ranking for {@code tasks} tasks.
     *
     * @param sharedMemory whether all nodes at hand share memory within their set
     */
    static SetRanking of(NodeSetRules rules, SetFamily family, SetTally tally, long tasks, boolean sharedMemory) {
        return new SetRanking(family, tally, inForce(rules, sharedMemory), tasks);
    }

    /** Returns the priority type that takes effect: FIRSTFIT where the one asked for is not supported. */
    static NodeSetPriority inForce(NodeSetRules rules, boolean sharedMemory) {
        if (rules.policy() == NodeSetPolicy.FIRSTOF) {
            return NodeSetPriority.FIRSTFIT;
        }
        if (rules.plus() == NodeSetPlus.DELAY) {
            return NodeSetPriority.BESTFIT;
        }
        boolean bySpeed = rules.attribute() == NodeSetAttribute.PROCSPEED;
        return switch (rules.priority()) {
            case AFFINITY, BESTFIT, FIRSTFIT, WORSTFIT -> rules.priority();
            case BESTRESOURCE -> bySpeed ? NodeSetPriority.BESTRESOURCE : NodeSetPriority.FIRSTFIT;
            case MINLOSS -> {
                if (bySpeed) {
                    yield rules.tolerance() > 0 ? NodeSetPriority.MINLOSS : NodeSetPriority.FIRSTFIT;
                }
                // What a job leaves idle of a set is least in the smallest set that holds it.
                yield rules.attribute() == NodeSetAttribute.FEATURE && sharedMemory
                        ? NodeSetPriority.BESTFIT
                        : NodeSetPriority.FIRSTFIT;
            }
        };
    }

    /** Returns whether {@code set} is to be taken rather than {@code other}. */
    boolean better(int set, int other) {
        int order = switch (priority) {
            case AFFINITY -> Integer.compare(tally.avoided(set), tally.avoided(other));
            case BESTFIT -> Long.compare(tally.tasks(set), tally.tasks(other));
            case WORSTFIT -> Long.compare(tally.tasks(other), tally.tasks(set));
            case BESTRESOURCE ->
                Long.compare(family.speeds().base(other), family.speeds().base(set));
            case MINLOSS -> minimalLoss(set, other);
            case FIRSTFIT -> 0;
        };
        if (order == 0 && family.orderedByAppearance()) {
            order = Integer.compare(tally.appearance(set), tally.appearance(other));
        }
        return order != 0 ? order < 0 : set < other;
    }

    /** Returns whether the fastest nodes of the set taken are to be used. */
    boolean fastestFirst() {
        return priority == NodeSetPriority.BESTRESOURCE;
    }

    private int minimalLoss(int set, int other) {
        int order = Long.compare(loss(set), loss(other));
        return order != 0
                ? order
                : Long.compare(family.speeds().base(set), family.speeds().base(other));
    }

    /** Returns the speed wasted when the tasks go to the slowest nodes of the set and all run at the speed of the slowest. */
    private long loss(int set) {
        long missing = tasks;
        long slowest = -1;
        long loss = 0;
        int[] speeds = family.speeds().speeds();
        for (int place = first(set); place < speeds.length && missing > 0; place++) {
            if (!family.speeds().holds(set, place)) {
                break;
            }
            long taken = Math.min(missing, tally.tasksOfSpeed(place));
            if (taken > 0 && slowest < 0) {
                slowest = speeds[place];
            }
            loss += taken * (speeds[place] - slowest);
            missing -= taken;
        }
        return loss;
    }

    private int first(int set) {
        int found = Arrays.binarySearch(
                family.speeds().speeds(), (int) family.speeds().base(set));
        return found >= 0 ? found : -found - 1;
    }
}
