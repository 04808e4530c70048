package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetSums;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.timeline.GapIndex;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.StartTimeScan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earliest start of a job: goes through the instants at which a node that would do changes its answer, in order,
 * and stops at the first at which there is enough and the tasks can lie as they have to. Requirements of one job are
 * searched for side by side. Used for one search at a time.
 */
final class StartSearch {
    /** Stands for no start at all. */
    static final long NOWHERE = Long.MAX_VALUE;

    private final NodeAvailabilityPlan availability;
    private final NodeSelector selector;
    private final SpreadEffort effort;

    /** What node sets hold, during a search inside one. */
    private final SetSums setSums;

    /** What runs of node indexes hold, during a search for one of them. */
    private final IndexRuns runs;

    private final Placement placement;

    private final List<StartTimeScan> sweeps = new ArrayList<>(List.of(new StartTimeScan()));

    /** Nodes chosen among so far. */
    private long choices;

    /** Shares of the last search that found something. */
    private List<TaskShare> found = List.of();

    StartSearch(
            NodeAvailabilityPlan availability,
            NodeSelector selector,
            NodeTable nodes,
            NodeSets sets,
            Placement placement,
            SpreadEffort effort) {
        this.availability = availability;
        this.selector = selector;
        this.effort = effort;
        this.placement = placement;
        setSums = new SetSums(sets);
        runs = new IndexRuns(nodes);
    }

    /** Returns how many looks at nodes all searches took so far. */
    long looks() {
        long looks = choices;
        for (StartTimeScan scan : sweeps) {
            looks += scan.looks();
        }
        return looks;
    }

    /** Returns where the tasks go at the start last found. */
    List<TaskShare> found() {
        return found;
    }

    /**
     * Returns the earliest start in {@code part} at or after {@code first} and before {@code before}, or NOWHERE: when there
     * is none, or none was found at the cost that jobs of several requirements may cause.
     */
    long search(Job job, PlanKey planKey, SetUse use, PlanKey.Part part, int first, long before) {
        if (planKey.needs.length == 1) {
            return search(job, planKey, use, part, first, before, null);
        }
        long from = availability.base() + first;
        SearchAllowance allowance = new SearchAllowance(effort, job, part, from);
        long last = allowance.reach() == Long.MAX_VALUE ? before : allowance.reach() - availability.base() + 1;
        long start =
                last <= first ? NOWHERE : search(job, planKey, use, part, first, Math.min(before, last), allowance);
        allowance.end(start == NOWHERE ? Long.MAX_VALUE : availability.base() + start);
        return start;
    }

    private long search(
            Job job,
            PlanKey planKey,
            SetUse use,
            PlanKey.Part part,
            int first,
            long before,
            @Nullable SearchAllowance allowance) {
        List<Requirement> requirements = job.request().requirements();
        StartTimeScan.Watch watch = watch(job, planKey, use, part);
        begin(job, planKey, part, first, watch);
        int start = first;
        while (true) {
            start = together(requirements, planKey, watch, start, before);
            if (start < 0
                    || start >= before
                    || (allowance != null && !allowance.choose(sweeps, availability.base() + start))) {
                return NOWHERE;
            }
            int free = requiredFrom(job, planKey, start);
            if (free == ResourceTimeline.NEVER) {
                return NOWHERE;
            }
            if (free > start) {
                start = free;
                continue;
            }
            for (int i = 0; i < requirements.size(); i++) {
                choices += sweeps.get(i).nodes();
            }
            List<TaskShare> shares = selector.later(job, planKey, use, part, sweeps, start);
            if (!shares.isEmpty()) {
                found = shares;
                return start;
            }
            int next = selector.restrictedUntil();
            if (requirements.size() > 1) {
                next = Math.min(next, selector.changeAfter(job, part, start));
            }
            for (int i = 0; i < requirements.size(); i++) {
                next = Math.min(next, sweeps.get(i).next());
            }
            if (next == Integer.MAX_VALUE || next <= start) {
                return NOWHERE;
            }
            start = next;
        }
    }

    /**
     * Returns the first instant from {@code start} on at which a node that has to get tasks, and has no room for one at
     * {@code start}, may have some; {@code start} where each has, and {@link ResourceTimeline#NEVER} for never.
     */
    private int requiredFrom(Job job, PlanKey planKey, int start) {
        int from = start;
        int end = NodeAvailabilityPlan.end(start, NodeAvailabilityPlan.seconds(job.plannedSeconds()));
        for (int i = 0; i < planKey.needs.length; i++) {
            BitSet required = planKey.required[i];
            for (int at = required.nextSetBit(0); at >= 0; at = required.nextSetBit(at + 1)) {
                choices++;
                ResourceTimeline line = availability.line(at);
                if (line.tasks(planKey.needs[i], start, end) == 0) {
                    from = Math.max(from, line.changeAfter(start));
                }
            }
        }
        return from;
    }

    private void begin(Job job, PlanKey planKey, PlanKey.Part part, int first, StartTimeScan.@Nullable Watch watch) {
        int seconds = NodeAvailabilityPlan.seconds(job.plannedSeconds());
        GapIndex[] calendars = new GapIndex[planKey.needs.length];
        for (int i = 0; i < calendars.length; i++) {
            calendars[i] = part.groups().get(i).index(availability, seconds);
        }
        while (sweeps.size() < calendars.length) {
            sweeps.add(new StartTimeScan());
        }
        sweeps.get(0).watch(watch);
        for (int i = 0; i < calendars.length; i++) {
            sweeps.get(i).begin(calendars[i], planKey.needs[i], first, seconds);
        }
    }

    /**
     * Returns the first instant from {@code from} on at which each requirement by itself has enough nodes; -1 for none before
     * {@code before}.
     */
    private int together(
            List<Requirement> requirements,
            PlanKey planKey,
            StartTimeScan.@Nullable Watch watch,
            int from,
            long before) {
        int start = from;
        int agreed = 0;
        for (int i = 0; agreed < requirements.size(); i = (i + 1) % requirements.size()) {
            StartTimeScan scan = sweeps.get(i);
            scan.advanceTo(start);
            int tasks = requirements.get(i).tasks();
            while (scan.total() < tasks || scan.nodes() < planKey.nodes[i] || (watch != null && !watch.any())) {
                if (scan.time() >= before || !scan.advance()) {
                    return -1;
                }
            }
            if (scan.time() > start) {
                start = scan.time();
                agreed = 1;
            } else {
                agreed++;
            }
        }
        return start;
    }

    /** Returns what follows sets, or runs of indexes, during a search for a start of a single requirement in one; else null. */
    private StartTimeScan.@Nullable Watch watch(Job job, PlanKey planKey, SetUse use, PlanKey.Part part) {
        List<Requirement> requirements = job.request().requirements();
        if (requirements.size() > 1) {
            return null;
        }
        int tasks = requirements.get(0).tasks();
        NodeSetRules rules = planKey.sets;
        if (rules != null && use == SetUse.ONE_SET) {
            setSums.begin(rules, tasks, planKey.nodes[0]);
            return setSums;
        }
        if (use == SetUse.NONE
                && !availability.buckets().any()
                && placement.consecutive(job, part.groups().get(0).positions()[0])) {
            runs.begin(tasks);
            return runs;
        }
        return null;
    }
}
