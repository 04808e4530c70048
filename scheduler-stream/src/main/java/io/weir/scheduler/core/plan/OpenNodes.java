package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.IndexOrder;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes on which tasks may start now, for one requirement of a job. Where the allocation policy takes the first nodes in
 * the order of their indexes, each filled before the next, those behind the last that it takes are not looked at: on a large
 * cluster with much free a start would otherwise look at all of it. Nor are those behind the first that has room for all tasks,
 * where a job takes as few nodes as will do.
 */
final class OpenNodes {
    private final NodeTable nodes;
    private final NodeAvailabilityPlan availability;
    private final Placement placement;
    private final ReservationAccess access;
    private final PlannedShares planned;

    /** Tasks that may start on the nodes looked at, and for how long these stay free afterwards, by position; made once for all looks. */
    private int[] tasks = new int[0];

    private long[] slack = new long[0];

    OpenNodes(
            NodeTable nodes,
            NodeAvailabilityPlan availability,
            Placement placement,
            ReservationAccess access,
            PlannedShares planned) {
        this.nodes = nodes;
        this.availability = availability;
        this.placement = placement;
        this.access = access;
        this.planned = planned;
    }

    /**
     * Returns the nodes on which tasks of requirement {@code index} may start now, at least those that the allocation policy will
     * choose; null when they cannot hold all.
     *
     * @param before where tasks of the job's other requirements lie
     */
    @Nullable
    Candidates of(Job job, PlanKey planKey, PlanKey.Part part, SetUse use, int index, HeldShares before) {
        Look look = new Look(job, planKey, index, before);
        BitSet those = (BitSet) part.groups().get(index).nodes().clone();
        those.and(withOwn(availability.open(), before));
        int any = those.nextSetBit(0);
        if (any < 0) {
            return null;
        }
        boolean plain = planKey.needs.length == 1 && use == SetUse.NONE && access.open();
        Candidates whole = plain ? whole(look, those, any) : null;
        if (whole != null) {
            return whole;
        }
        return switch (plain ? placement.filledFrom(job, any) : IndexOrder.NONE) {
            case ASCENDING -> look.upwards(those, true);
            case DESCENDING -> look.downwards(those);
            case NONE -> new Look(job, planKey, index, before).upwards(those, false);
        };
    }

    /** Returns the node that takes all tasks, where a job takes one if one has room for them. */
    private @Nullable Candidates whole(Look look, BitSet those, int any) {
        int position = switch (placement.wholeFrom(look.job, any)) {
            case ASCENDING -> look.firstForAll(those);
            case DESCENDING -> look.lastForAll(those);
            case NONE -> Look.NOWHERE;
        };
        return position == Look.NOWHERE ? null : look.only(position);
    }

    /** Returns whether {@code job} is drawn to the node at {@code position} for {@code seconds} from {@code start} on. */
    NodeAffinity affinity(Job job, int position, int start, int seconds) {
        if (access.open()) {
            return NodeAffinity.NONE;
        }
        long from = availability.base() + start;
        return access.affinity(job, nodes.at(position).id(), from, from + seconds);
    }

    /** Returns {@code open} and the nodes on which tasks of the same job lie. */
    private static BitSet withOwn(BitSet open, HeldShares before) {
        if (before.isEmpty()) {
            return open;
        }
        BitSet both = (BitSet) open.clone();
        before.all().forEach(share -> both.set(share.position()));
        return both;
    }

    /** One look at the nodes for one requirement. */
    private final class Look {
        private static final int NOWHERE = -1;

        private final Job job;
        private final PlanKey planKey;
        private final int index;
        private final HeldShares before;
        private final Requirement requirement;
        private final TaskNeed need;
        private final int seconds;
        private final int start = availability.offset();

        /** What is left of the buckets looked at so far, by their leaders. */
        private final Map<Integer, Integer> left = new TreeMap<>();

        /** Whether a bucket holds less than all tasks, so that it matters which of its nodes are looked at first. */
        private boolean scarce;

        Look(Job job, PlanKey planKey, int index, HeldShares before) {
            this.job = job;
            this.planKey = planKey;
            this.index = index;
            this.before = before;
            requirement = job.request().requirements().get(index);
            need = planKey.needs[index];
            seconds = NodeAvailabilityPlan.seconds(job.plannedSeconds());
        }

        /** Looks at {@code those} in the order of their indexes; at no more than hold all tasks if {@code first} is said. */
        @Nullable
        Candidates upwards(BitSet those, boolean first) {
            Candidates candidates = new Candidates(nodes, 16);
            long total = 0;
            for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
                int tasks = tasksAt(position);
                if (tasks > 0) {
                    total += tasks;
                    add(candidates, position, tasks, slackAt(position));
                    if (first && total >= requirement.tasks()) {
                        return candidates;
                    }
                }
            }
            return total >= requirement.tasks() && candidates.size() >= planKey.nodes[index] ? candidates : null;
        }

        /**
         * Looks at those of {@code those} that are needed again after the job, which are taken before others, and of the others at
         * the last ones in the order of their indexes, until they hold all tasks.
         */
        @Nullable
        Candidates downwards(BitSet those) {
            int length = those.length();
            if (tasks.length < length) {
                tasks = new int[Math.max(length, nodes.size())];
                slack = new long[tasks.length];
            }
            BitSet held = availability.neededLater(those);
            long total = 0;
            for (int position = held.nextSetBit(0); position >= 0; position = held.nextSetBit(position + 1)) {
                tasks[position] = tasksAt(position);
                slack[position] = slackAt(position);
                total += slack[position] == Candidates.FOREVER ? 0 : tasks[position];
            }
            int lowest = length;
            while (lowest > 0 && total < requirement.tasks()) {
                lowest = those.previousSetBit(lowest - 1);
                if (lowest < 0) {
                    break;
                }
                if (!held.get(lowest)) {
                    tasks[lowest] = tasksAt(lowest);
                    slack[lowest] = slackAt(lowest);
                }
                total += slack[lowest] == Candidates.FOREVER ? tasks[lowest] : 0;
            }
            if (scarce) {
                return new Look(job, planKey, index, before).upwards(those, false);
            }
            if (total < requirement.tasks()) {
                return null;
            }
            Candidates candidates = new Candidates(nodes, 16);
            held.set(lowest, length);
            held.and(those);
            for (int position = held.nextSetBit(0); position >= 0; position = held.nextSetBit(position + 1)) {
                if (tasks[position] > 0 && (position >= lowest || slack[position] != Candidates.FOREVER)) {
                    add(candidates, position, tasks[position], slack[position]);
                }
            }
            return candidates;
        }

        /** Returns the first of {@code those} with room for all tasks. */
        int firstForAll(BitSet those) {
            for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
                if (holdsAll(position)) {
                    return position;
                }
            }
            return NOWHERE;
        }

        /** Returns that of {@code those} with room for all tasks that is needed again the soonest, of equal ones the last. */
        int lastForAll(BitSet those) {
            int soonest = NOWHERE;
            long least = Candidates.FOREVER;
            BitSet held = availability.neededLater(those);
            for (int position = held.nextSetBit(0); position >= 0; position = held.nextSetBit(position + 1)) {
                long slack = slackAt(position);
                if (slack != Candidates.FOREVER && slack <= least && holdsAll(position)) {
                    soonest = position;
                    least = slack;
                }
            }
            if (soonest != NOWHERE) {
                return soonest;
            }
            for (int position = those.length() - 1; position >= 0; position = those.previousSetBit(position - 1)) {
                if (holdsAll(position)) {
                    return position;
                }
            }
            return NOWHERE;
        }

        private boolean holdsAll(int position) {
            return tasksAt(position) >= requirement.tasks();
        }

        /** Returns the node at {@code position} alone. */
        Candidates only(int position) {
            Candidates candidates = new Candidates(nodes, 1);
            add(candidates, position, requirement.tasks(), slackAt(position));
            return candidates;
        }

        private void add(Candidates candidates, int position, int tasks, long slack) {
            candidates.add(position, tasks, availability.now(), slack, affinity(job, position, start, seconds));
        }

        private long slackAt(int position) {
            return availability.slack(need, position, start, seconds);
        }

        private int tasksAt(int position) {
            int beside = availability.tasksBeside(planKey, index, position, before);
            int tasks = beside >= 0 ? beside : availability.readyTasks(need, position, seconds);
            tasks = tasks == 0 ? 0 : Math.min(tasks, placement.present(position, job, requirement));
            tasks = tasks == 0 ? 0 : need.usable(Math.min(tasks, besidePlanned(position)));
            return beside < 0 && availability.buckets().inBucket(position) ? ofBucket(position, tasks) : tasks;
        }

        /** Returns how many tasks may start now beside the jobs whose slots on the node at {@code position} they would meet. */
        private int besidePlanned(int position) {
            if (!placement.personal()) {
                return Integer.MAX_VALUE;
            }
            long now = availability.now();
            List<PlannedShare> others = planned.beside(job, position, now, now + seconds);
            return others.isEmpty() ? Integer.MAX_VALUE : placement.admitted(position, job, requirement, now, others);
        }

        /**
         * Returns how many of the tasks a node of a bucket could start are left to it: together its nodes take no more than the
         * bucket holds until the end.
         */
        private int ofBucket(int position, int tasks) {
            int leader = availability.buckets().leader(position);
            int rest = left.computeIfAbsent(
                    leader,
                    l -> availability.line(position).tasks(need, start, NodeAvailabilityPlan.end(start, seconds)));
            if (rest >= requirement.tasks()) {
                return tasks;
            }
            scarce = true;
            int given = Math.min(tasks, rest);
            left.put(leader, rest - given);
            return given;
        }
    }
}
