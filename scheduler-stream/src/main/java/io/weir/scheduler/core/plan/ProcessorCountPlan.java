package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts processors. Exact where any processor is as good as any other, and then a cluster of N nodes with one processor
 * is one node with N processors; nodes are named when a job starts.
 */
final class ProcessorCountPlan implements ResourcePlan {
    /** Tells the number of a job's processors, as noted, from notes of other plans. */
    private static final long NOTED = Long.MIN_VALUE;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final AvailabilityProfile profile = new AvailabilityProfile();
    private long now;

    /** The start of the plan, epoch seconds; before now in a pass that goes on with it. */
    private long begin;

    /** Free processors at {@link #now}. */
    private long free;

    private long nextReturn = AvailabilityProfile.NEVER;

    ProcessorCountPlan(JobTable jobs, NodeTable nodes) {
        this.jobs = jobs;
        this.nodes = nodes;
    }

    @Override
    public void reset(long instant, long begun, SitePolicy policy) {
        now = instant;
        begin = instant;
        profile.reset(now, nodes.sums().free());
        NavigableMap<Long, Long> later = later(begun, policy);
        Long first = later.higherKey(now);
        nextReturn = first == null ? AvailabilityProfile.NEVER : first;
        for (Job job : jobs.active()) {
            long end = Math.max(job.plannedEnd(), now + 1);
            long released = nodes.plannable(job.shares(), heldProcs(job)) + awaited(job, begun, end, later);
            appendUntil(end, later);
            profile.append(end, released);
        }
        appendUntil(AvailabilityProfile.NEVER, later);
        free = profile.freeAt(now);
    }

    @Override
    public long nextReturn() {
        return nextReturn;
    }

    /** Returns when nodes come back that take no jobs now and have processors which no job holds, with these. */
    private NavigableMap<Long, Long> later(long begun, SitePolicy policy) {
        NavigableMap<Long, Long> later = new TreeMap<>();
        if (nodes.sums().busyFree() > 0) {
            later.put(
                    Math.max(now, begun + policy.availability().busyDelaySeconds()),
                    nodes.sums().busyFree());
        }
        nodes.sums().awaited().forEach((seconds, procs) -> later.merge(begun + seconds, procs, Long::sum));
        return later;
    }

    /** Returns what a job releases at {@code end} on nodes that are back by then; the rest comes {@code later}. */
    private long awaited(Job job, long begun, long end, NavigableMap<Long, Long> later) {
        if (nodes.sums().awaitedNodes() == 0) {
            return 0;
        }
        SortedMap<Long, Long> held = new TreeMap<>();
        nodes.awaited(job.shares(), held);
        long released = 0;
        for (Map.Entry<Long, Long> share : held.entrySet()) {
            if (begun + share.getKey() > end) {
                later.merge(begun + share.getKey(), share.getValue(), Long::sum);
            } else {
                released += share.getValue();
            }
        }
        return released;
    }

    private void appendUntil(long end, NavigableMap<Long, Long> later) {
        if (later.isEmpty()) {
            return;
        }
        NavigableMap<Long, Long> until = later.headMap(end, true);
        until.forEach(profile::append);
        until.clear();
    }

    /** A job some of whose nodes failed may hold less than it asked for. */
    private static long heldProcs(Job job) {
        return job.failedNodes().isEmpty()
                ? job.request().procs()
                : job.shares().stream().mapToLong(NodeShare::procs).sum();
    }

    @Override
    public void resume(long instant) {
        now = instant;
        free = profile.freeAt(now);
    }

    @Override
    public boolean exhausted() {
        return free <= 0;
    }

    @Override
    public @Nullable Slot now(Job job) {
        long procs = job.request().procs();
        long seconds = job.plannedSeconds();
        return procs <= free && profile.fits(now, seconds, procs) ? Slot.counted(now, seconds, procs) : null;
    }

    @Override
    public void fillColumns(Job job, QueueColumns columns, int row) {
        columns.remember(row, NOTED | job.request().procs(), 0);
    }

    @Override
    public boolean outOfReach(QueueColumns columns, int row) {
        long note = columns.note(row);
        long procs = note & ~NOTED;
        return (note & NOTED) != 0 && procs > free && procs <= nodes.sums().configured();
    }

    @Override
    public @Nullable Slot earliest(Job job, long from) {
        long procs = job.request().procs();
        long seconds = job.plannedSeconds();
        long start = profile.earliest(from, seconds, procs);
        return start == AvailabilityProfile.NEVER || start - begin >= NodeAvailabilityPlan.HORIZON
                ? null
                : Slot.counted(start, seconds, procs);
    }

    @Override
    public @Nullable Slot reserved(Job job, Reservation reservation) {
        boolean same = reservation.procs() == job.request().procs()
                && reservation.end() - reservation.start() == job.request().walltimeSeconds();
        return same ? Slot.counted(reservation.start(), job.plannedSeconds(), reservation.procs()) : null;
    }

    @Override
    public void take(Slot slot) {
        profile.take(slot.start(), slot.seconds(), slot.procs());
        free = profile.freeAt(now);
    }

    @Override
    public void giveBack(Slot slot) {
        profile.giveBack(slot.start(), slot.seconds(), slot.procs());
        free = profile.freeAt(now);
    }

    @Override
    public void vacate(Job job, long from) {
        profile.giveBack(from, job.plannedEnd() - from, nodes.plannable(job.shares(), heldProcs(job)));
        free = profile.freeAt(now);
    }

    @Override
    public void reoccupy(Job job, long from) {
        profile.take(from, job.plannedEnd() - from, nodes.plannable(job.shares(), heldProcs(job)));
        free = profile.freeAt(now);
    }

    @Override
    public List<Window> windows() {
        List<Window> windows = new ArrayList<>();
        long width = free;
        long instant = now;
        while (width > 0) {
            long next = profile.nextStep(instant);
            if (next == AvailabilityProfile.NEVER) {
                windows.add(new Window(width, Long.MAX_VALUE));
                break;
            }
            long later = Math.min(width, profile.freeAt(next));
            if (later < width) {
                windows.add(new Window(width, next - now));
                width = later;
            }
            instant = next;
        }
        return windows;
    }

    @Override
    public long milliEquivalents(Job job) {
        return job.request().procs() * 1000L;
    }

    @Override
    public boolean possible(Job job) {
        return job.request().procs() <= nodes.sums().configured();
    }

    @Override
    public boolean overcommitted() {
        return profile.overcommitted();
    }
}
