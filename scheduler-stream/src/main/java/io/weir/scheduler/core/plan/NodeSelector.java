package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.StartTimeScan;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, for one start, the nodes on which the tasks of a job lie: collects those that hold tasks for its whole limit,
 * and lets node sets and the allocation policy choose among them, requirement by requirement.
 */
final class NodeSelector {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final NodeAvailabilityPlan availability;
    private final Placement placement;
    private final NodeSets sets;
    private final ReservationAccess access;
    private final PlannedShares planned;
    private final OpenNodes open;

    /** When something changes on a node that did not let in all tasks at the start last asked for. */
    private int restrictedUntil = ResourceTimeline.NEVER;

    NodeSelector(
            JobTable jobs,
            NodeTable nodes,
            NodeAvailabilityPlan availability,
            Placement placement,
            NodeSets sets,
            ReservationAccess access,
            PlannedShares planned) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.availability = availability;
        this.placement = placement;
        this.sets = sets;
        this.access = access;
        this.planned = planned;
        open = new OpenNodes(nodes, availability, placement, access, planned);
    }

    /** Returns where the tasks go when the job starts now in {@code part}; empty when they do not fit. */
    List<TaskShare> now(Job job, PlanKey planKey, SetUse use, PlanKey.Part part) {
        return choose(
                job,
                planKey,
                use,
                part,
                availability.offset(),
                true,
                (i, all) -> open.of(job, planKey, part, use, i, all));
    }

    /**
     * Returns where the tasks go when the job starts at {@code start} in {@code part}; empty when they do not fit.
     *
     * @param sweeps what each node holds then, by requirement
     */
    List<TaskShare> later(
            Job job, PlanKey planKey, SetUse use, PlanKey.Part part, List<StartTimeScan> sweeps, int start) {
        restrictedUntil = ResourceTimeline.NEVER;
        return choose(
                job,
                planKey,
                use,
                part,
                start,
                false,
                (i, all) -> laterNodes(job, planKey, i, sweeps.get(i), start, all));
    }

    /**
     * Returns the first instant after the start last given to {@link #later} at which a node may let in more tasks than its
     * limits and the jobs there did then: {@link ResourceTimeline#NEVER} for none. What requirements of the job take from each
     * other is left to {@link #changeAfter}.
     */
    int restrictedUntil() {
        return restrictedUntil;
    }

    /**
     * Returns the first start after {@code start} at which several requirements may lie otherwise, though each by itself
     * finds as much room: {@link ResourceTimeline#NEVER} for none.
     */
    int changeAfter(Job job, PlanKey.Part part, int start) {
        long drawn = access.open()
                ? TimeArgument.FOREVER
                : access.drawnOtherwise(availability.base() + start, job.plannedSeconds());
        int next = drawn >= TimeArgument.FOREVER ? ResourceTimeline.NEVER : availability.instant(drawn);
        BitSet any = new BitSet();
        for (CandidateGroup group : part.groups()) {
            any.or(group.nodes());
        }
        for (int position = any.nextSetBit(0); position >= 0; position = any.nextSetBit(position + 1)) {
            next = Math.min(next, availability.line(position).changeAfter(start));
        }
        return next;
    }

    /** Finds the nodes for a requirement when the tasks of those before it lie already. */
    private interface Collector {
        @Nullable
        Candidates candidates(int requirement, HeldShares before);
    }

    private List<TaskShare> choose(
            Job job,
            PlanKey planKey,
            SetUse use,
            PlanKey.Part part,
            int start,
            boolean immediate,
            Collector collector) {
        int end = NodeAvailabilityPlan.end(start, seconds(job));
        int requirements = planKey.needs.length;
        if (requirements == 1) {
            Candidates candidates = collector.candidates(0, new HeldShares());
            return candidates == null ? List.of() : among(job, planKey, use, 0, candidates, start, immediate);
        }
        int[] order = new int[requirements];
        Arrays.setAll(order, i -> i);
        List<TaskShare> found = inOrder(job, planKey, use, start, end, immediate, collector, order);
        int[] scarceFirst = scarceFirst(planKey, part, order);
        if (found.isEmpty() && !Arrays.equals(order, scarceFirst)) {
            found = inOrder(job, planKey, use, start, end, immediate, collector, scarceFirst);
        }
        if (found.isEmpty() && planKey.dividesNodes()) {
            int[] largestFirst = largestFirst(job, order);
            if (!Arrays.equals(order, largestFirst) && !Arrays.equals(scarceFirst, largestFirst)) {
                found = inOrder(job, planKey, use, start, end, immediate, collector, largestFirst);
            }
        }
        return found;
    }

    /** Returns the requirements that fewer nodes meet before those that more meet; nodes that have to get tasks are the fewest. */
    private static int[] scarceFirst(PlanKey planKey, PlanKey.Part part, int[] order) {
        return Arrays.stream(order)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> planKey.required[i].isEmpty()
                        ? part.groups().get(i).positions().length
                        : planKey.required[i].cardinality()))
                .mapToInt(i -> i)
                .toArray();
    }

    /** Returns the requirements that ask for more processors before those that ask for fewer. */
    private static int[] largestFirst(Job job, int[] order) {
        List<Requirement> requirements = job.request().requirements();
        return Arrays.stream(order)
                .boxed()
                .sorted(Comparator.comparingInt(
                        (Integer i) -> -requirements.get(i).procs()))
                .mapToInt(i -> i)
                .toArray();
    }

    /** Returns where the tasks of all requirements lie when these choose one after the other; empty when one finds no place. */
    private List<TaskShare> inOrder(
            Job job,
            PlanKey planKey,
            SetUse use,
            int start,
            int end,
            boolean immediate,
            Collector collector,
            int[] order) {
        HeldShares all = new HeldShares();
        for (int i : order) {
            Candidates candidates = collector.candidates(i, all);
            List<TaskShare> shares =
                    candidates == null ? List.of() : among(job, planKey, use, i, candidates, start, immediate);
            for (TaskShare share : shares) {
                availability.hold(planKey, share, start, end, 1, all);
                all.add(share);
                placement.promise(share, job.request().requirements().get(i));
            }
            if (shares.isEmpty()) {
                undo(planKey, all, start, end);
                return List.of();
            }
        }
        List<TaskShare> result = new ArrayList<>(all.all());
        undo(planKey, all, start, end);
        result.sort(Comparator.comparingInt(TaskShare::requirement));
        return result;
    }

    private List<TaskShare> among(
            Job job, PlanKey planKey, SetUse use, int index, Candidates candidates, int start, boolean immediate) {
        Requirement requirement = job.request().requirements().get(index);
        long at = availability.base() + start;
        if (use == SetUse.NONE || !requirement.demands().hosts().isEmpty()) {
            return placement.choose(job, index, requirement, candidates, at, immediate);
        }
        return sets.place(
                planKey.sets,
                use,
                candidates,
                requirement,
                (some, tasks, wanted) ->
                        placement.choose(job, index, requirement.part(tasks, wanted), some, at, immediate));
    }

    private void undo(PlanKey planKey, HeldShares all, int start, int end) {
        placement.settle();
        while (!all.isEmpty()) {
            TaskShare share = all.removeLast();
            availability.hold(planKey, share, start, end, -1, all);
        }
    }

    private Candidates laterNodes(
            Job job, PlanKey planKey, int index, StartTimeScan scan, int start, HeldShares before) {
        TaskNeed need = planKey.needs[index];
        int seconds = seconds(job);
        int[] places = scan.places();
        long[] holding = new long[places.length];
        int count = 0;
        for (int place : places) {
            int position = scan.position(place);
            int tasks = scan.tasksAt(place);
            if (!before.isEmpty()) {
                int beside = availability.tasksBeside(planKey, index, position, before);
                tasks = need.usable(
                        beside >= 0
                                ? beside
                                : availability
                                        .line(position)
                                        .tasks(need, start, NodeAvailabilityPlan.end(start, seconds)));
            }
            holding[count++] = (long) position << 32 | tasks;
        }
        Arrays.sort(holding);
        if (availability.buckets().any()) {
            holding = spread(holding, job.request().requirements().get(index).tasks());
        }
        Candidates candidates = new Candidates(nodes, holding.length);
        for (long held : holding) {
            int position = (int) (held >>> 32);
            int tasks = (int) held;
            ResourceTimeline line = availability.line(position);
            if (tasks > 0 && placement.personal()) {
                Requirement requirement = job.request().requirements().get(index);
                long at = availability.base() + start;
                List<PlannedShare> others = planned.beside(job, position, at, at + seconds);
                int admitted = placement.admitted(position, job, requirement, at, others);
                if (admitted < tasks) {
                    tasks = need.usable(admitted);
                    if (before.isEmpty()) {
                        restrictedUntil = Math.min(restrictedUntil, restrictedUntil(position, start, others));
                    }
                }
            }
            if (tasks > 0) {
                candidates.add(
                        position,
                        tasks,
                        availability.base() + Math.max(availability.offset(), line.freeSince(need, start, 1)),
                        availability.slack(need, position, start, seconds),
                        open.affinity(job, position, start, seconds));
            }
        }
        return candidates;
    }

    /**
     * Returns the first instant after {@code start} at which the node at {@code position} may let in more: something changes
     * there, or a job ends there. Where another takes over just what that one held, nothing else tells.
     *
     * @param others what jobs that wait are to hold there
     */
    private int restrictedUntil(int position, int start, List<PlannedShare> others) {
        int next = availability.line(position).changeAfter(start);
        for (PlannedShare other : others) {
            next = earlier(next, availability.instant(other.to()), start);
        }
        for (String id : nodes.sharesAt(position).keySet()) {
            Job present = jobs.get(id);
            if (present != null) {
                next = earlier(next, availability.instant(present.plannedEnd()), start);
            }
        }
        return next;
    }

    private static int earlier(int next, int end, int start) {
        return end > start ? Math.min(next, end) : next;
    }

    /** Returns, for (position, tasks), the same where what a bucket holds is put down to some of its nodes. */
    private long[] spread(long[] holding, int wanted) {
        List<Long> spread = new ArrayList<>();
        for (long held : holding) {
            BitSet bucket = availability.buckets().bucket((int) (held >>> 32));
            if (bucket == null) {
                spread.add(held);
                continue;
            }
            int missing = Math.min(wanted, (int) held);
            for (int position = bucket.length() - 1;
                    position >= 0 && missing > 0;
                    position = position == 0 ? -1 : bucket.previousSetBit(position - 1)) {
                int tasks = Math.min(missing, nodes.at(position).configured().procs());
                spread.add((long) position << 32 | tasks);
                missing -= tasks;
            }
        }
        return spread.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static int seconds(Job job) {
        return NodeAvailabilityPlan.seconds(job.plannedSeconds());
    }
}
