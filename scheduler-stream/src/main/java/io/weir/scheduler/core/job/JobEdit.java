package io.weir.scheduler.core.job;

import io.weir.scheduler.core.mark.Annotations;
import io.weir.scheduler.core.policy.job.AccrualPolicy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.bound.Bound;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The next version of a job in the making; each method is one transition of its life. */
public final class JobEdit {
    /** Messages that a job has. */
    static final int MOST_MESSAGES = 64;

    /** Nodes of its last run that are remembered. */
    private static final int MOST_LAST_NODES = 256;

    private static final Bound.Prose MESSAGE = new Bound.Prose(1_024, true);

    /** The version this one is made from; null for a new job. */
    @Nullable
    Job basis;

    JobRequest request;
    JobState state = JobState.IDLE;
    long start = Job.NONE;
    long end = Job.NONE;
    List<NodeAllocation> allocation = List.of();

    @Nullable
    Integer exitCode;

    @Nullable
    String reason;

    boolean ownerMayRelease = true;

    /** Never written to: a change makes a new set. */
    EnumSet<Hold> holds = EnumSet.noneOf(Hold.class);

    int deferrals;
    OperatorOverrides overrides = OperatorOverrides.NONE;
    long notBefore = Job.NONE;
    int startFailures;

    @Nullable
    UnseenStart unseenStart;

    long refusedSince = Job.NONE;

    @Nullable
    CommandKind pending;

    long commandNumber;
    long monitoredStart = Job.NONE;
    List<TaskPlacement> placements = List.of();

    @Nullable
    Integer systemPriority;

    int bypassCount;
    long eligibleSince = Job.NONE;
    boolean backfilled;
    List<String> messages = List.of();
    Annotations annotations = Annotations.NONE;

    @Nullable
    Long usedCpuSeconds;

    @Nullable
    Long usedMemoryMb;

    long accruedSeconds;
    long suspendedSince = Job.NONE;
    long suspendedSeconds;
    boolean procsReleased;

    @Nullable
    String scriptNode;

    @Nullable
    String requestedQos;

    @Nullable
    String effectiveQos;

    @Nullable
    Preemption preemption;

    FailedNodes failedNodes = FailedNodes.NONE;
    List<String> lastNodes = List.of();
    int starts;
    long reportedEpoch;
    long changedIn;

    JobEdit(JobRequest request) {
        this.request = request;
    }

    /** Begins the life of a job. */
    public static JobEdit submitted(JobRequest request) {
        return new JobEdit(request);
    }

    /**
     * Takes over what the resource manager now says was asked for, and where it says so. A job that was deferred or refused
     * for what it asked for then, and asks for something else now, is considered at once.
     */
    public JobEdit reported(JobRequest reported, long epoch) {
        JobRequest next = overrides.applied(reported);
        if ((deferrals > 0 || startFailures > 0) && !next.asksAs(request)) {
            undeferred();
            startFailures = 0;
        }
        request = next;
        reportedEpoch = epoch;
        return this;
    }

    /** Back in the queue, holding nothing. */
    public JobEdit queued(@Nullable String why) {
        release(state != JobState.STARTING);
        state = JobState.IDLE;
        start = Job.NONE;
        end = Job.NONE;
        reason = why;
        ownerMayRelease = true;
        scriptNode = null;
        if (preemption != null && preemption.by() != null) {
            preemption = null;
        }
        return this;
    }

    /** Held by the resource manager. */
    public JobEdit heldByResourceManager(@Nullable String why) {
        return heldByResourceManager(why, true);
    }

    /** Held by the resource manager, which may keep the owner from releasing it. */
    public JobEdit heldByResourceManager(@Nullable String why, boolean ownerCanRelease) {
        queued(why);
        state = JobState.HOLD;
        ownerMayRelease = ownerCanRelease;
        preemption = null;
        return this;
    }

    /** Start ordered at {@code now} on {@code nodes}. */
    public JobEdit starting(long now, List<NodeAllocation> nodes) {
        state = JobState.STARTING;
        start = now;
        allocation = nodes;
        // What became of nodes of its last run is nothing to this one.
        failedNodes = failedNodes.without(node -> !node.confirmed());
        notBefore = Job.NONE;
        monitoredStart = Job.NONE;
        return this;
    }

    /** Runs since {@code since} on {@code nodes}. */
    public JobEdit running(JobState as, long since, List<NodeAllocation> nodes) {
        boolean begins = state != JobState.RUNNING && state != JobState.SUSPENDED;
        starts += begins && starts < Integer.MAX_VALUE ? 1 : 0;
        if (begins) {
            suspendedSince = Job.NONE;
            suspendedSeconds = 0;
            preemption = null;
        }
        state = as;
        start = since;
        allocation = nodes;
        lastNodes = List.of();
        startFailures = 0;
        deferrals = 0;
        refusedSince = Job.NONE;
        notBefore = Job.NONE;
        monitoredStart = Job.NONE;
        unseenStart = null;
        return this;
    }

    /** Counts for how long its run is suspended, of which {@code now} is told. */
    public JobEdit suspension(long now) {
        if (state == JobState.SUSPENDED && suspendedSince == Job.NONE) {
            suspendedSince = now;
        } else if (state != JobState.SUSPENDED && suspendedSince != Job.NONE) {
            suspendedSeconds += Math.max(0, now - suspendedSince);
            suspendedSince = Job.NONE;
        }
        return this;
    }

    /** Gave its processors up to others, if it is suspended. */
    public JobEdit procsReleased(boolean released) {
        procsReleased = released;
        return this;
    }

    /** Its start was accepted, and no report has shown it so far. */
    public JobEdit unseen(UnseenStart start) {
        unseenStart = start;
        return this;
    }

    /** The start that no report has shown was none: it is still being started, and what was counted before counts. */
    public JobEdit startUnseen() {
        if (unseenStart != null) {
            state = JobState.STARTING;
            starts--;
            startFailures = unseenStart.failures();
            deferrals = unseenStart.deferrals();
            refusedSince = unseenStart.refusedSince();
            unseenStart = null;
        }
        return this;
    }

    /** Ended for good. */
    public JobEdit finished(JobState as, long at, @Nullable Integer code, @Nullable String why) {
        release(true);
        preemption = null;
        state = as;
        end = at;
        exitCode = code;
        reason = why;
        return this;
    }

    /** A start was refused: back in the queue, not to be tried before {@code again}. */
    public JobEdit startRefused(long again, @Nullable String why) {
        queued(why);
        startFailures++;
        notBefore = again;
        return this;
    }

    /** A start was refused for something that is not the job's: back in the queue, and not counted. */
    public JobEdit startPutOff(long again, @Nullable String why) {
        queued(why);
        notBefore = again;
        return this;
    }

    /** Not considered (or not killed again) before {@code instant}. */
    public JobEdit notBefore(long instant) {
        notBefore = instant;
        return this;
    }

    /** Command {@code number} was sent. */
    public JobEdit commanded(CommandKind kind, long number) {
        pending = kind;
        commandNumber = number;
        return this;
    }

    /** The pending command was answered. */
    public JobEdit answered() {
        pending = null;
        return this;
    }

    /** Held by {@code by}, too. */
    public JobEdit hold(Hold by) {
        holds = EnumSet.copyOf(holds);
        holds.add(by);
        return this;
    }

    /** No longer held by {@code by}. */
    public JobEdit release(Hold by) {
        holds = EnumSet.copyOf(holds);
        holds.remove(by);
        return this;
    }

    /**
     * Deferred: not considered before {@code again}. Too many deferrals are a hold instead.
     *
     * @param most how many there may be
     */
    public JobEdit deferred(long again, int most) {
        deferrals++;
        if (deferrals > most) {
            notBefore = Job.NONE;
            return hold(Hold.BATCH);
        }
        notBefore = again;
        return this;
    }

    /** Changed by operators as {@code all} says. */
    public JobEdit ordered(OperatorOverrides all) {
        overrides = all;
        request = all.applied(request);
        return this;
    }

    /** Returns how many starts failed since the last success. */
    public int startFailures() {
        return startFailures;
    }

    /** Returns when a start that is tried again on the same nodes was first refused, or {@link Job#NONE}. */
    public long refusedSince() {
        return refusedSince;
    }

    /** Returns who holds it. */
    public Set<Hold> holds() {
        return Collections.unmodifiableSet(holds);
    }

    /** Considered again at once, as if it had never been deferred. */
    public JobEdit undeferred() {
        deferrals = 0;
        notBefore = Job.NONE;
        return this;
    }

    /** Considered before the end of its deferral, as that may be in vain by now; deferrals are counted anew from this one on. */
    public JobEdit reconsidered() {
        deferrals = Math.min(deferrals, 1);
        notBefore = Job.NONE;
        return this;
    }

    /** Deferred as it was before it was {@link #reconsidered}: not before {@code again}, and no further time. */
    public JobEdit deferredAsBefore(long again) {
        notBefore = again;
        return this;
    }

    /** MODE MONITOR would have started it at {@code now}. */
    public JobEdit monitoredStart(long now) {
        monitoredStart = now;
        return this;
    }

    /** Its tasks are placed so, task 0 first. */
    public JobEdit placed(List<TaskPlacement> tasks) {
        placements = List.copyOf(tasks);
        return this;
    }

    /** Jobs were preempted at {@code now} to make room for it. */
    public JobEdit makingRoom(long now) {
        preemption = Preemption.forIt(now);
        return this;
    }

    /** Told at {@code now} to give up its nodes for the job with the id {@code preemptor}. */
    public JobEdit givingWay(String preemptor, long now) {
        preemption = Preemption.of(preemptor, now);
        return this;
    }

    /** It was told to give way, and did not. */
    public JobEdit stays() {
        preemption = preemption == null ? null : preemption.inVain();
        return this;
    }

    /** Preemption means nothing to it any more. */
    public JobEdit withoutPreemption() {
        preemption = null;
        return this;
    }

    /** Has these failed nodes. */
    public JobEdit failed(FailedNodes nodes) {
        failedNodes = nodes;
        return this;
    }

    /** Consumed so much so far; null for not known. */
    public JobEdit used(@Nullable Long cpuSeconds, @Nullable Long memoryMb) {
        usedCpuSeconds = cpuSeconds;
        usedMemoryMb = memoryMb;
        return this;
    }

    /** Its script runs on this node, which cannot be taken from it; null for none. */
    public JobEdit scriptNode(@Nullable String node) {
        scriptNode = node;
        return this;
    }

    /** An administrator sets its priority; null takes it away. */
    public JobEdit systemPriority(@Nullable Integer priority) {
        systemPriority = priority;
        return this;
    }

    /** {@code jobs} of lower priority started before it. */
    public JobEdit bypassed(int jobs) {
        bypassCount += jobs;
        return this;
    }

    /** Its start is tried again on the same nodes since {@code instant}; {@link Job#NONE} ends that. */
    public JobEdit refusedSince(long instant) {
        refusedSince = instant;
        return this;
    }

    /** Can be considered since {@code instant}, {@link Job#NONE} for not now. */
    public JobEdit eligibleSince(long instant) {
        eligibleSince = instant;
        return this;
    }

    /** Started ahead of a job of higher priority, or not. */
    public JobEdit backfilled(boolean ahead) {
        backfilled = ahead;
        return this;
    }

    /** Attaches a message unless it is there; one more than {@link #MOST_MESSAGES} takes the place of the first. */
    public JobEdit message(String text) {
        String kept = MESSAGE.cut(text);
        if (!messages.contains(kept)) {
            List<String> all = new ArrayList<>(
                    messages.subList(Math.max(0, messages.size() + 1 - MOST_MESSAGES), messages.size()));
            all.add(kept);
            messages = List.copyOf(all);
        }
        return this;
    }

    /** Takes back the messages that begin with {@code words}. */
    public JobEdit withdrawn(String words) {
        messages = messages.stream().filter(text -> !text.startsWith(words)).toList();
        return this;
    }

    /** Operators attached this. */
    public JobEdit marked(Annotations all) {
        annotations = all;
        return this;
    }

    /** Returns the id of the job. */
    public String id() {
        return request.id();
    }

    /** Returns the names attached to the job. */
    public JobCredentials credentials() {
        return request.credentials();
    }

    /** Returns the quality of service asked for, by an operator or else at submission; null for none. */
    public @Nullable String askedQos() {
        return requestedQos != null ? requestedQos : request.credentials().qos();
    }

    /** Returns whether the job was submitted with triggers of its own. */
    public boolean hasTriggers() {
        return !request.extension().triggers().isEmpty();
    }

    /** An operator asks for another quality of service. */
    public JobEdit requestedQos(@Nullable String qos) {
        requestedQos = qos;
        return this;
    }

    /** Gets this quality of service; null for none. */
    public JobEdit effectiveQos(@Nullable String qos) {
        effectiveQos = qos;
        return this;
    }

    /**
     * Counts waiting time up to {@code at} and says since when, or from when on, it counts further.
     *
     * @param before the version in force; null for a new job
     */
    public JobEdit accruing(@Nullable Job before, AccrualPolicy policy, long at) {
        if (before != null && before.active() && before.state() != JobState.STARTING && !active()) {
            interrupt(before.start());
        }
        if (!holds.isEmpty() || state == JobState.HOLD) {
            interrupt(at);
        } else if (state == JobState.IDLE) {
            long from = Math.max(request.submit(), request.options().startAfter());
            if (policy == AccrualPolicy.FULLPOLICY) {
                from = Math.max(from, notBefore);
            }
            if (before == null) {
                eligibleSince = from;
            } else if (eligibleSince == Job.NONE || eligibleSince > at) {
                eligibleSince = Math.max(from, at);
            } else if (from > at) {
                interrupt(at);
                eligibleSince = from;
            }
        }
        return this;
    }

    private void interrupt(long at) {
        if (eligibleSince != Job.NONE) {
            accruedSeconds += Math.max(0, at - eligibleSince);
            eligibleSince = Job.NONE;
        }
    }

    private boolean active() {
        return state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    /** Returns whether this is news about {@code known}, rather than a report that all is as before. */
    public boolean differs(Job known) {
        return state != known.state()
                || start != known.start()
                || !allocation.equals(known.allocation())
                || !failedNodes.equals(known.failedNodes())
                || (procsReleased && state == JobState.SUSPENDED) != known.procsReleased()
                || !request.equals(known.request())
                || !Objects.equals(usedCpuSeconds, known.usedCpuSeconds())
                || !Objects.equals(usedMemoryMb, known.usedMemoryMb());
    }

    /** Published by {@code iteration}. */
    public JobEdit changedIn(long iteration) {
        changedIn = iteration;
        return this;
    }

    /** Returns the finished version. */
    public Job done() {
        return new Job(this);
    }

    /** Gives its nodes up, on which it {@code ran} or was only to be started. */
    private void release(boolean ran) {
        if (ran && allocation.size() == 1 && placements.isEmpty()) {
            lastNodes = List.of(allocation.get(0).getNodeId());
        } else if (ran && !allocation.isEmpty()) {
            Set<String> nodes = new LinkedHashSet<>();
            if (!placements.isEmpty()) {
                nodes.add(placements.get(0).getNodeId());
            }
            for (int i = 0; i < allocation.size() && nodes.size() < MOST_LAST_NODES; i++) {
                nodes.add(allocation.get(i).getNodeId());
            }
            lastNodes = List.copyOf(nodes);
        }
        allocation = List.of();
        placements = List.of();
        failedNodes = FailedNodes.NONE;
        unseenStart = null;
        backfilled = false;
        pending = null;
        notBefore = Job.NONE;
        monitoredStart = Job.NONE;
    }
}
