package io.weir.scheduler.core.job;

import io.weir.scheduler.core.mark.Annotations;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.job.AccrualPolicy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job as the scheduler knows it; immutable. Times are whole epoch seconds, {@link #NONE} when there is none. A new
 * version is made by {@link #edit()} and takes effect when the table replays it.
 *
 * <p>The file is long because a job has many attributes, each with one short accessor: in one flat object a walk over a long
 * queue fetches them from one place.
 */
public final class Job {
    /** Stands for a time that is not known or does not apply. */
    public static final long NONE = Long.MIN_VALUE;

    /**
     * The longest run that is planned, seconds. A job with a longer limit, or with none, is planned as if it ran that long. Two
     * such runs, one behind the other, are within what plans count, so that the job behind still gets a start.
     */
    public static final long LONGEST_PLANNED = 1_000_000_000;

    private static final int[] NOWHERE = {};

    private final JobRequest request;
    private final JobState state;
    private final long start;
    private final long end;
    private final List<NodeAllocation> allocation;
    final @Nullable Integer exitCode;
    private final @Nullable String reason;
    private final boolean ownerMayRelease;
    private final EnumSet<Hold> holds;
    private final int deferrals;
    private final OperatorOverrides overrides;
    final long notBefore;
    private final int startFailures;
    private final @Nullable UnseenStart unseenStart;
    private final int starts;
    private final long refusedSince;
    private final @Nullable CommandKind pending;
    private final long commandNumber;
    private final long monitoredStart;
    private final List<TaskPlacement> placements;
    private final @Nullable Integer systemPriority;
    private final int bypassCount;
    private final long eligibleSince;
    private final boolean backfilled;
    private final List<String> messages;
    private final Annotations annotations;
    private final @Nullable Long usedCpuSeconds;
    private final @Nullable Long usedMemoryMb;
    private final long accruedSeconds;

    /** Since when it is suspended, epoch seconds, or {@link #NONE}. */
    final long suspendedSince;

    /** How long its run was suspended before. */
    final long suspendedSeconds;

    private final boolean procsReleased;

    private final @Nullable String scriptNode;
    final @Nullable String requestedQos;
    private final @Nullable String effectiveQos;
    private final @Nullable Preemption preemption;
    private final FailedNodes failedNodes;
    private final List<NodeShare> shares;
    private final int dedicatedProcs;
    private final List<String> lastNodes;
    private final long reportedEpoch;
    private final long changedIn;

    /** Copies out of the request, which a walk over a long queue would otherwise fetch from all over the memory. */
    private final int firstTasks;

    private final long limitSeconds;
    private final long startAfter;
    private final long deadline;
    private final boolean namesReservation;

    /** The characters of the request, and those of all its texts. */
    private final long askedCharacters;

    private final long characters;

    /** What the planner remembers of this version; says nothing about the job and is not part of the state. */
    private long planMark;

    private long accessMark;

    /** The positions of the nodes of its shares, and for which layout of the nodes; made when first asked for. */
    private int[] positions = NOWHERE;

    private long layout = -1;

    Job(JobEdit edit) {
        request = edit.request;
        firstTasks = request.first().tasks();
        limitSeconds = request.walltimeSeconds();
        startAfter = request.options().startAfter() > request.submit()
                ? request.options().startAfter()
                : NONE;
        deadline = request.deadline();
        namesReservation = request.options().reservation() != null;
        state = edit.state;
        start = edit.start;
        end = edit.end;
        allocation = edit.allocation;
        exitCode = edit.exitCode;
        reason = edit.reason;
        ownerMayRelease = edit.ownerMayRelease;
        holds = edit.holds;
        deferrals = edit.deferrals;
        overrides = edit.overrides;
        notBefore = edit.notBefore;
        startFailures = edit.startFailures;
        unseenStart = edit.unseenStart;
        starts = edit.starts;
        refusedSince = edit.refusedSince;
        pending = edit.pending;
        commandNumber = edit.commandNumber;
        monitoredStart = edit.monitoredStart;
        placements = edit.placements;
        systemPriority = edit.systemPriority;
        bypassCount = edit.bypassCount;
        eligibleSince = edit.eligibleSince;
        backfilled = edit.backfilled;
        messages = edit.messages;
        annotations = edit.annotations;
        usedCpuSeconds = edit.usedCpuSeconds;
        usedMemoryMb = edit.usedMemoryMb;
        accruedSeconds = edit.accruedSeconds;
        suspendedSince = edit.suspendedSince;
        suspendedSeconds = edit.suspendedSeconds;
        procsReleased = edit.procsReleased && state == JobState.SUSPENDED;
        scriptNode = edit.scriptNode;
        requestedQos = edit.requestedQos;
        effectiveQos = edit.effectiveQos;
        preemption = edit.preemption;
        failedNodes = edit.failedNodes;
        lastNodes = edit.lastNodes;
        reportedEpoch = edit.reportedEpoch;
        changedIn = edit.changedIn;
        Job basis = edit.basis;
        if (!active()) {
            shares = List.of();
            dedicatedProcs = request.procs();
        } else if (basis != null && basis.holdsAs(this)) {
            shares = basis.shares;
            dedicatedProcs = basis.dedicatedProcs;
            positions = basis.positions;
            layout = basis.layout;
        } else {
            List<NodeShare> kept = failedNodes.kept(JobShares.of(request, allocation, placements));
            shares = procsReleased ? kept.stream().map(NodeShare::withoutProcs).toList() : kept;
            dedicatedProcs = procsOf(kept);
        }
        askedCharacters = basis != null && basis.isAboutRequestOf(this) ? basis.askedCharacters : JobTexts.of(request);
        characters = basis != null && basis.isAboutRequestOf(this) && basis.hasRemarksOf(this)
                ? basis.characters
                : JobTexts.of(this, askedCharacters);
    }

    /** Restores a job from its stored version. */
    public static Job from(JobStatus status) {
        return StoredJob.read(status);
    }

    /** Returns this version as the record that stores and topics hold. */
    public JobStatus toRecord(String cluster) {
        return StoredJob.write(this, cluster);
    }

    /** Returns this moldable job as it is on {@code nodes} nodes; null when no job may have that many tasks. */
    public @Nullable Job molded(int nodes) {
        JobRequest molded = request.molded(nodes);
        if (molded == null) {
            return null;
        }
        JobEdit edit = edit();
        edit.request = molded;
        return edit.done();
    }

    /** Returns an editable copy. */
    public JobEdit edit() {
        JobEdit edit = new JobEdit(request);
        edit.basis = this;
        edit.state = state;
        edit.start = start;
        edit.end = end;
        edit.allocation = allocation;
        edit.exitCode = exitCode;
        edit.reason = reason;
        edit.ownerMayRelease = ownerMayRelease;
        edit.holds = holds;
        edit.deferrals = deferrals;
        edit.overrides = overrides;
        edit.notBefore = notBefore;
        edit.startFailures = startFailures;
        edit.unseenStart = unseenStart;
        edit.starts = starts;
        edit.refusedSince = refusedSince;
        edit.pending = pending;
        edit.commandNumber = commandNumber;
        edit.monitoredStart = monitoredStart;
        edit.placements = placements;
        edit.systemPriority = systemPriority;
        edit.bypassCount = bypassCount;
        edit.eligibleSince = eligibleSince;
        edit.backfilled = backfilled;
        edit.messages = messages;
        edit.annotations = annotations;
        edit.usedCpuSeconds = usedCpuSeconds;
        edit.usedMemoryMb = usedMemoryMb;
        edit.accruedSeconds = accruedSeconds;
        edit.suspendedSince = suspendedSince;
        edit.suspendedSeconds = suspendedSeconds;
        edit.procsReleased = procsReleased;
        edit.scriptNode = scriptNode;
        edit.requestedQos = requestedQos;
        edit.effectiveQos = effectiveQos;
        edit.preemption = preemption;
        edit.failedNodes = failedNodes;
        edit.lastNodes = lastNodes;
        edit.reportedEpoch = reportedEpoch;
        edit.changedIn = changedIn;
        return edit;
    }

    /** Returns what was asked for. */
    public JobRequest request() {
        return request;
    }

    /** Returns the id, unique in the cluster. */
    public String id() {
        return request.id();
    }

    /** Returns the life-cycle state. */
    public JobState state() {
        return state;
    }

    /** Returns when it started, or {@link #NONE}. */
    public long start() {
        return start;
    }

    /** Returns when it ended, or {@link #NONE}. */
    public long end() {
        return end;
    }

    /** Returns the nodes it holds; empty while it holds none. */
    public List<NodeAllocation> allocation() {
        return allocation;
    }

    /** Returns what it has of the node with {@code id}; null when it has nothing. */
    public @Nullable NodeAllocation allocationOn(String id) {
        return allocation.stream()
                .filter(node -> node.getNodeId().equals(id))
                .findFirst()
                .orElse(null);
    }

    /** Returns the nodes of its last run, that of its first task first; empty while it holds nodes and before its first run. */
    public List<String> lastNodes() {
        return lastNodes;
    }

    /** Returns whether it is held by request or by the scheduler. */
    public boolean held() {
        return !holds.isEmpty();
    }

    /** Returns who holds it, in the order of kinds. */
    public Set<Hold> holds() {
        return Collections.unmodifiableSet(holds);
    }

    /** Returns what operators changed of the request. */
    public OperatorOverrides overrides() {
        return overrides;
    }

    /** Returns how often it was deferred since it last ran. */
    public int deferrals() {
        return deferrals;
    }

    /** Says whether it is considered before the end of a deferral that everybody was told of. */
    public boolean reconsidered() {
        return deferrals > 0 && notBefore == NONE;
    }

    /** Returns the instant before which it is not considered, or {@link #NONE}. */
    public long notBefore() {
        return state == JobState.IDLE ? Math.max(notBefore, startAfter) : notBefore;
    }

    /** Returns how often it began to run. */
    public int starts() {
        return starts;
    }

    /** Returns how many starts failed since the last success. */
    public int startFailures() {
        return startFailures;
    }

    /** Returns the start that was accepted and that no report has shown; null for none. */
    public @Nullable UnseenStart unseenStart() {
        return unseenStart;
    }

    /** Returns when a start that is tried again on the same nodes was first refused, or {@link #NONE}. */
    public long refusedSince() {
        return refusedSince;
    }

    /** Returns the command that was sent and is not yet answered; null for none. */
    public @Nullable CommandKind pending() {
        return pending;
    }

    /** Returns the number of the last command about it; 0 before the first. */
    public long commandNumber() {
        return commandNumber;
    }

    /** Returns when MODE MONITOR would have started it, or {@link #NONE}. */
    public long monitoredStart() {
        return monitoredStart;
    }

    /** Returns where its tasks are, task 0 first; empty while it holds no nodes or that is not known. */
    public List<TaskPlacement> placements() {
        return placements;
    }

    /** Returns what preemption means to it; null for nothing. */
    public @Nullable Preemption preemption() {
        return preemption;
    }

    /** Returns whether it is about to give up its nodes for another job. */
    public boolean givesWay() {
        return preemption != null && preemption.givesWay();
    }

    /** Returns its nodes that failed; empty while it does not run. */
    public FailedNodes failedNodes() {
        return failedNodes;
    }

    /** Says whether its first task, by which a batch job stands or falls, is on the node with {@code id}. */
    public boolean isMaster(String id) {
        return !placements.isEmpty()
                ? placements.get(0).getNodeId().equals(id)
                : !allocation.isEmpty() && allocation.get(0).getNodeId().equals(id);
    }

    /** Says whether it is suspended and gave its processors up to others, which it gets back when it is resumed. */
    public boolean procsReleased() {
        return procsReleased;
    }

    /**
     * Returns what it holds of each node; empty while it holds nothing. A job that has to give up its nodes because one of
     * them failed holds the failed ones alone; a suspended one may hold no processors.
     */
    public List<NodeShare> shares() {
        return shares;
    }

    /** Returns the processors of the node with {@code id} that were given to it; 0 for none. */
    public int procsOn(String id) {
        NodeAllocation there = allocationOn(id);
        return there == null ? 0 : there.getProcs();
    }

    /**
     * Returns the processors dedicated to it: those it holds or gave up while it is suspended, all of a node that it has to
     * itself, and those it asks for where it holds nothing or that is not known.
     */
    public int dedicatedProcs() {
        return dedicatedProcs;
    }

    /** Returns the positions of the nodes of {@link #shares}, -1 for a node that is not known; to be read. */
    public int[] positions(NodeTable nodes) {
        if (layout != nodes.layout()) {
            layout = nodes.layout();
            positions = nodes.positions(shares);
        }
        return positions;
    }

    /** Returns the priority set by an administrator; null for none. */
    public @Nullable Integer systemPriority() {
        return systemPriority;
    }

    /** Returns how many jobs of lower priority started before it. */
    public int bypassCount() {
        return bypassCount;
    }

    /** Returns since when it could be considered, or {@link #NONE}. */
    public long eligibleSince() {
        return eligibleSince;
    }

    /** Returns with which code it ended; null when that is not known, or it has not. */
    public @Nullable Integer exitCode() {
        return exitCode;
    }

    /** Returns the text its resource manager gave for its state; null for none. */
    public @Nullable String reason() {
        return reason;
    }

    /** Says whether the resource manager lets the owner release the hold it reports; true where it reports none. */
    public boolean ownerMayRelease() {
        return ownerMayRelease;
    }

    /** Returns whether it started before a job of higher priority. */
    public boolean backfilled() {
        return backfilled;
    }

    /** Returns whether it is about to give up its nodes for {@code other}. */
    public boolean givesWayTo(Job other) {
        return preemption != null && preemption.givesWay() && other.id().equals(preemption.by());
    }

    /** Returns whether it was to give up its nodes for {@code other} in its present attempt, and did not. */
    public boolean staysInSpiteOf(Job other) {
        Preemption wish = other.preemption();
        return preemption != null
                && preemption.failed()
                && wish != null
                && preemption.since() >= wish.since()
                && other.id().equals(preemption.by());
    }

    /** Returns the messages attached to it. */
    public List<String> messages() {
        return messages;
    }

    /** Returns what operators attached to it. */
    public Annotations annotations() {
        return annotations;
    }

    /** Returns the processor seconds consumed so far; null when not known. */
    public @Nullable Long usedCpuSeconds() {
        return usedCpuSeconds;
    }

    /** Returns the memory in use on all its nodes, MB; null when not known. */
    public @Nullable Long usedMemoryMb() {
        return usedMemoryMb;
    }

    /**
     * Returns the node on which its script runs, where that cannot be taken from the job and nodes added have to come behind it in
     * the order of nodes; null for none.
     */
    public @Nullable String scriptNode() {
        return scriptNode;
    }

    /** Returns the quality of service in force; null for none. */
    public @Nullable String qos() {
        return effectiveQos;
    }

    /** Returns the waiting time before {@link #eligibleSince} that counts for its priority, seconds. */
    public long accruedSeconds() {
        return accruedSeconds;
    }

    /** Returns how long it has waited for its priority, seconds: until {@code now}, or until it started. */
    public long effectiveQueueSeconds(AccrualPolicy policy, long now) {
        long until = active() && start != NONE ? Math.min(start, now) : now;
        if (policy == AccrualPolicy.ALWAYS) {
            return Math.max(0, until - request.submit());
        }
        return accruedSeconds + (eligibleSince == NONE ? 0 : Math.max(0, until - eligibleSince));
    }

    /** Returns whether nothing but its queue time ranks it: no priority of its own, and no time that does not count. */
    public boolean ordinary() {
        return systemPriority == null
                && request.options().userPriority() == 0
                && eligibleSince - accruedSeconds == request.submit();
    }

    /** Returns the connector epoch of the last report. */
    public long reportedEpoch() {
        return reportedEpoch;
    }

    /** Returns the iteration that publishes this version. */
    public long changedIn() {
        return changedIn;
    }

    /** Returns the tasks of the first requirement. */
    public int firstTasks() {
        return firstTasks;
    }

    /** Returns the wallclock limit in seconds. */
    public long limitSeconds() {
        return limitSeconds;
    }

    /** Returns for how long its resources are planned, seconds: its limit, at most {@link #LONGEST_PLANNED}. */
    public long plannedSeconds() {
        return Math.min(LONGEST_PLANNED, limitSeconds);
    }

    /** Returns by when it has to be over, or {@link #NONE}. */
    public long deadline() {
        return deadline;
    }

    /** Returns whether it is over by its deadline if it starts at {@code start}; never without a deadline. */
    public boolean inTime(long start) {
        return start + limitSeconds <= deadline;
    }

    /** Returns whether it asks for a reservation to run in. */
    public boolean namesReservation() {
        return namesReservation;
    }

    /** Returns how many characters all its texts have, and what it is besides them. */
    long characters() {
        return characters;
    }

    /** Returns what the planner noted; 0 for nothing. */
    public long planMark() {
        return planMark;
    }

    /** Notes something for the planner; lost with this version. */
    public void planMark(long mark) {
        planMark = mark;
    }

    /** Returns what was noted of its access to reservations; 0 for nothing. */
    public long accessMark() {
        return accessMark;
    }

    /** Notes something of its access to reservations; lost with this version. */
    public void accessMark(long mark) {
        accessMark = mark;
    }

    /**
     * Returns whether it waits in the queue and nobody holds it. One that its resource manager put back there waits only when
     * it is known whether its nodes failed, since the policy for that may end it.
     */
    public boolean waiting() {
        return state == JobState.IDLE && holds.isEmpty() && pending == null && !failedNodes.uncertain();
    }

    /** Returns whether it holds resources. */
    public boolean active() {
        return state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    /** Returns whether its resource manager has started it, be it that it is suspended since. */
    public boolean runs() {
        return state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    /** Returns whether it has ended for good. */
    public boolean finished() {
        return switch (state) {
            case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
        };
    }

    /** Returns the end of its wallclock limit, which counts without the time it was suspended; only for an active job. */
    public long limitEnd() {
        return start + limitSeconds + suspendedSeconds;
    }

    /**
     * Returns until when plans take it to hold its resources: never after {@link #limitEnd}, and no longer than until it was told
     * to give way to another job; only for an active job.
     */
    public long plannedEnd() {
        long end = start + plannedSeconds() + suspendedSeconds;
        return preemption != null && preemption.givesWay() ? Math.min(end, preemption.since()) : end;
    }

    private int procsOf(List<NodeShare> held) {
        if (held.isEmpty()) {
            return request.procs();
        }
        int sum = 0;
        for (int i = 0; i < held.size(); i++) {
            sum += held.get(i).procs();
        }
        return sum;
    }

    /** Returns whether it certainly asks for the same as {@code next}, the version made from it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isAboutRequestOf(Job next) {
        return request == next.request;
    }

    /** Returns whether the same was certainly attached to it and to {@code next}, the version made from it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean hasRemarksOf(Job next) {
        return messages == next.messages && lastNodes == next.lastNodes && annotations == next.annotations;
    }

    /** Returns whether it certainly holds the same of each node as {@code next}, the version made from it. */
    private boolean holdsAs(Job next) {
        return active()
                && allocation == next.allocation
                && placements == next.placements
                && procsReleased == next.procsReleased
                && failedNodes.keepsAs(next.failedNodes)
                && request.requirements().equals(next.request.requirements());
    }
}
