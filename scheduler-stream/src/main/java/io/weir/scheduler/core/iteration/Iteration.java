package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.backfill.PlanActions;
import io.weir.scheduler.core.fact.CommandOutcomes;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.ExplanationPublisher;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.BackfillSettings;
import io.weir.scheduler.core.policy.Mode;
import io.weir.scheduler.core.policy.PartitionPolicy;
import io.weir.scheduler.core.policy.SchedulerSettings;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.request.RequestDispatcher;
import io.weir.scheduler.core.request.ReservationRequests;
import io.weir.scheduler.core.request.SchedulerRequests;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.EntityChanges;
import io.weir.scheduler.core.state.SchedulerStatus;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.scheduler.state.PendingNotice;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.Severity;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling iteration: policy change, requests, wallclock limits, the planning pass, then publication of every
 * entity whose version changed since the last one. Used once.
 */
public final class Iteration implements PlanActions {
    /** How long a cancel is given before a job that still runs is cancelled again, in seconds. */
    private static final long CANCEL_RETRY_SECONDS = 60;

    /** Says that no state of the nodes could ever hold a job. */
    private static final String IMPOSSIBLE = "the request is larger than the nodes could ever hold";

    /** Begins the message of a job that ends too late. */
    private static final String LATE = "deadline cannot be met: ";

    private static final String IMPOSSIBLE_IN_SETS = "Set: no node set could ever hold the request";

    private final ClusterState state;
    private final DomainState domain;
    private final long nowMillis;
    private final long now;
    private final IterationOutputs outbox;
    private final PluginRequests pluginRequests;

    /** A step of the clock after which overdue jobs get another chance to be reported ended, in seconds. */
    private static final long CLOCK_JUMP_SECONDS = 600;

    /** MODE MONITOR: nodes named in this pass, given back at its end. */
    private final List<Job> borrowed = new ArrayList<>();

    public Iteration(ClusterState state, long nowMillis) {
        this.state = state;
        this.domain = state.domain;
        this.nowMillis = Math.max(nowMillis, domain.nowMillis);
        this.now = Math.floorDiv(this.nowMillis, 1000L);
        state.clock = now;
        this.outbox = new IterationOutputs(state, domain.nextIteration(), Instant.ofEpochMilli(this.nowMillis));
        this.pluginRequests = new PluginRequests(state, outbox, now);
    }

    public IterationResult run() {
        state.work.onNothing();
        if (suspended()) {
            publish();
            state.work.onNothing();
            long resume = domain.standing.resumeAt();
            return closed(resume == Job.NONE ? null : Instant.ofEpochSecond(resume));
        }
        if (domain.iteration == 0) {
            dateNodes();
        }
        boolean policyChanged = adoptPolicy();
        state.work.onNothing();
        if (SchedulerRequests.resumeWhenDue(domain, state.cluster, now)) {
            state.planner.invalidate();
        }
        ReservationRequests reservations = new ReservationRequests(state, outbox, now);
        reservations.manager().begin(domain.capacityFreed);
        RequestDispatcher dispatcher = new RequestDispatcher(state, outbox, reservations, now);
        dispatcher.carryOut();
        state.work.onNothing();
        JobLimits limits = new JobLimits(state, outbox, now);
        limits.holdExcessive(policyChanged ? state.jobs.waitingIds() : state.jobChanges.unpublished());
        limits.actOnExcess();
        enforceWallclockLimits();
        state.work.onNothing();
        reservations.manager().settle();
        new ReservationCopies(state, outbox, now).settle();
        state.work.onNothing();
        state.rank();
        boolean freed = domain.capacityFreed;
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            state.planner.invalidate();
        }
        boolean schedules = domain.standing.schedules();
        state.beginPlacement(now);
        if (schedules) {
            schedule(freed);
        }
        ExplanationPublisher explaining = new ExplanationPublisher(state, now);
        dispatcher.answerQuestions(explaining);
        state.work.onNothing();
        askForFullPolls();
        purgeFinished();
        SchedulerRequests.stopWhenDue(domain, state.cluster, now);
        publish();
        explaining.update(outbox);
        state.work.onNothing();
        domain.capacityFreed &= !schedules;
        return closed(nextWake());
    }

    /**
     * Says whether the cluster is suspended because the scheduler fails on it. Then only requests about the scheduler
     * itself are carried out; one of them may end it.
     */
    private boolean suspended() {
        if (domain.standing.state() == SchedulerStatus.State.SUSPENDED
                && SchedulerRequests.resumeWhenDue(domain, state.cluster, now)) {
            state.quarantine.remove(QuarantineKind.CLUSTER, state.cluster);
            state.planner.invalidate();
        }
        if (domain.standing.state() == SchedulerStatus.State.SUSPENDED) {
            new RequestDispatcher(state, outbox, new ReservationRequests(state, outbox, now), now)
                    .carryOutWhileSuspended();
        }
        return domain.standing.state() == SchedulerStatus.State.SUSPENDED;
    }

    private IterationResult closed(@Nullable Instant nextWake) {
        domain.iteration++;
        domain.nowMillis = nowMillis;
        return new IterationResult(
                domain.iteration,
                Instant.ofEpochMilli(nowMillis),
                state.drain(),
                outbox.outputs(),
                nextWake,
                domain.commandCounts(),
                domain.policyVersion,
                domain.runtimeSettings().toRecords(),
                domain.publicStanding());
    }

    /** Starts and reserves what the nodes allow. */
    private void schedule(boolean freed) {
        pluginRequests.tidy();
        state.planner.chunkUntil(chunk(freed));
        state.planner.lastStarted(domain.lastPartition);
        state.planner.plan(now, freed, this);
        pluginRequests.review();
        state.work.onNothing();
        for (String failure : state.placement.pluginFailures()) {
            domain.notice(Severity.WARNING, PluginRequests.FAILURE, "scheduler", state.cluster, failure);
        }
        borrowed.forEach(job -> state.nodes.release(job.id(), job.shares()));
    }

    /** Nodes that came before the clock was known are in their state since now. */
    private void dateNodes() {
        for (Node node : state.nodes.all()) {
            state.work.on(QuarantineKind.NODE, node.id());
            if (node.stateSince() == 0) {
                state.emit(node.since(now));
            }
        }
    }

    @Override
    public void considering(Job job) {
        state.work.on(QuarantineKind.JOB, job.id());
    }

    @Override
    public boolean awaited(Job job) {
        return pluginRequests.awaits(job);
    }

    @Override
    public boolean start(Job job, List<TaskShare> shares, boolean ahead) {
        if (!outbox.reaches(job)) {
            return false;
        }
        Allocation nodes = shares.isEmpty() ? state.placement.place(job) : state.placement.allocation(job, shares);
        if (nodes == null) {
            return false;
        }
        takeTurn(job, shares);
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            monitorStart(job, nodes);
            return true;
        }
        boolean reserved = state.reservations.get(job.id()) != null;
        String commandId = outbox.start(job, nodes, now, reserved ? "reserved start" : "fits now");
        JobEdit edit = job.edit()
                .starting(now, nodes.nodes())
                .placed(nodes.placements())
                .backfilled(ahead);
        if (job.inTime(now)) {
            edit.withdrawn(LATE);
        } else if (job.deadline() != Job.NONE && !isLate(job)) {
            edit.message(lateness(job, now));
        }
        if (commandId != null) {
            edit.commanded(CommandKind.START_JOB, outbox.lastNumber(job));
        }
        state.emit(edit);
        state.started(edit.done());
        if (reserved) {
            state.removeReservation(job.id());
        }
        return true;
    }

    /** Remembers the partition of a job that could have used several, where partitions take turns. */
    private void takeTurn(Job job, List<TaskShare> shares) {
        if (domain.policy.allocation().partition() == PartitionPolicy.ROUNDROBIN
                && job.request().options().partitions().size() != 1
                && !shares.isEmpty()) {
            domain.lastPartition = state.nodes.at(shares.get(0).position()).partition();
            state.planner.lastStarted(domain.lastPartition);
        }
    }

    @Override
    public void reserve(Job job, long start, List<TaskShare> shares) {
        Reservation old = state.reservations.get(job.id());
        Reservation next = Reservation.of(job, start, placements(shares), domain.nextIteration());
        if (old == null || !old.sameAs(next)) {
            state.emit(next);
            outbox.decision(
                    old == null ? DecisionKind.RESERVE : DecisionKind.MOVE_RESERVATION,
                    job,
                    start,
                    next.end(),
                    (old == null ? "cannot start now" : "earliest start moved")
                            + (next.type() == ReservationType.DEADLINE ? ", in time for its deadline" : "")
                            + inSets(job, shares));
        }
        if (next.type() == ReservationType.DEADLINE && isLate(job)) {
            state.emit(job.edit().withdrawn(LATE));
        }
        pluginRequests.reserved(job, start);
    }

    @Override
    public void late(Job job, long start) {
        if (!isLate(job)) {
            state.emit(job.edit().message(lateness(job, start)));
        }
    }

    private static String lateness(Job job, long start) {
        return LATE + "it has to be over by " + Instant.ofEpochSecond(job.deadline()) + ", can start at "
                + Instant.ofEpochSecond(start) + " at the earliest and would end at "
                + Instant.ofEpochSecond(start + job.limitSeconds());
    }

    private static boolean isLate(Job job) {
        return job.messages().stream().anyMatch(text -> text.startsWith(LATE));
    }

    /** Returns which node sets hold a job's tasks, as a part of a sentence; empty where sets were not applied. */
    private String inSets(Job job, List<TaskShare> shares) {
        List<String> names = state.planner.nodeSets().applied(job.request(), shares);
        return names.isEmpty() ? "" : "; in node set " + String.join(", ", names);
    }

    @Override
    public void retryExpired(Job job) {
        state.emit(job.edit().refusedSince(Job.NONE));
        domain.notice(
                Severity.WARNING,
                CommandOutcomes.RETRY_EXPIRED,
                "job",
                job.id(),
                "the nodes kept for job " + job.id() + ", whose start was refused, are given up");
    }

    @Override
    public void impossible(Job job) {
        if (!outbox.polled(job)) {
            return;
        }
        String why = state.planner.forbiddenBySets(job) ? IMPOSSIBLE_IN_SETS : IMPOSSIBLE;
        SchedulerSettings settings = domain.policy.scheduler();
        if (settings.deferSeconds() > 0) {
            long again = now + settings.deferSeconds();
            JobEdit edit = job.edit().message(why).deferred(again, settings.deferCount());
            state.emit(edit);
            if (edit.holds().contains(Hold.BATCH)) {
                outbox.decision(DecisionKind.HOLD, job, Job.NONE, Job.NONE, why + "; deferred too often");
                domain.notice(Severity.WARNING, "jobhold", "job", job.id(), "job " + job.id() + " held: " + why);
            } else {
                outbox.decision(DecisionKind.DEFER, job, again, Job.NONE, why);
                domain.notice(Severity.WARNING, "jobdefer", "job", job.id(), "job " + job.id() + " deferred: " + why);
            }
        } else if (!job.messages().contains(why)) {
            state.emit(job.edit().message(why));
            outbox.decision(DecisionKind.DEFER, job, Job.NONE, Job.NONE, why);
        }
    }

    @Override
    public void bypassed(String jobId, int jobs) {
        Job job = state.jobs.get(jobId);
        if (job != null && job.waiting()) {
            state.emit(job.edit().bypassed(jobs));
        }
    }

    private List<TaskPlacement> placements(List<TaskShare> shares) {
        return shares.stream()
                .map(share ->
                        new TaskPlacement(state.nodes.at(share.position()).id(), share.requirement(), share.tasks()))
                .toList();
    }

    @Override
    public void release(String jobId) {
        Reservation old = state.reservations.get(jobId);
        if (old != null) {
            state.removeReservation(jobId);
            outbox.released(old);
        }
    }

    private void monitorStart(Job job, Allocation nodes) {
        Job started = job.edit()
                .starting(now, nodes.nodes())
                .placed(nodes.placements())
                .done();
        state.placement.started(started);
        state.nodes.hold(started.id(), started.shares());
        borrowed.add(started);
        if (job.monitoredStart() == Job.NONE) {
            outbox.start(job, nodes, now, "MODE MONITOR: not carried out");
            state.emit(job.edit().monitoredStart(now));
        }
    }

    /** Returns until when room is kept for wide jobs: from the first that comes free on for a while, then not again
     *  before more does. */
    private long chunk(boolean freed) {
        BackfillSettings backfill = domain.policy.backfill();
        boolean on = backfill.chunkSeconds() > 0 && backfill.chunkProcs() > 0;
        if (!on) {
            domain.chunkEnd = Job.NONE;
        } else if (freed && now >= domain.chunkEnd) {
            domain.chunkEnd = now + backfill.chunkSeconds();
        }
        return domain.chunkEnd;
    }

    /** Puts a waiting policy in force; returns whether there was one. */
    private boolean adoptPolicy() {
        DomainState.PendingPolicy next = domain.nextPolicy;
        if (next == null) {
            return false;
        }
        state.work.on(QuarantineKind.POLICY, next.version());
        state.quarantine.removeAll(QuarantineKind.STANDING_RESERVATION);
        SitePolicy.Reading reading = domain.adoptPolicy();
        if (reading == null) {
            return false;
        }
        state.fairshare.change(domain.policy.fairshare());
        state.configure();
        state.settleQos();
        int withoutEffect = 0;
        for (PolicyProblem problem : reading.problems()) {
            if (problem.level() == PolicyProblem.Level.INFO) {
                withoutEffect++;
                continue;
            }
            domain.notice(
                    problem.level() == PolicyProblem.Level.ERROR ? Severity.ERROR : Severity.WARNING,
                    "configproblem",
                    "scheduler",
                    state.cluster,
                    problem.toString());
        }
        domain.notice(
                Severity.INFO,
                "configchange",
                "scheduler",
                state.cluster,
                "policy version " + domain.policyVersion + " in force"
                        + (withoutEffect == 0 ? "" : "; settings without effect yet: " + withoutEffect));
        return true;
    }

    /**
     * Cancels jobs that still run after the end of their limit. A complete poll behind the end has to say so: the resource
     * manager had its chance at the end itself, and a clock that runs ahead of its clock ends no job.
     */
    private void enforceWallclockLimits() {
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            return;
        }
        List<Job> overdue = new ArrayList<>();
        for (Job job : state.jobs.active()) {
            if (job.limitEnd() >= now) {
                break;
            }
            if (job.pending() == null
                    && job.notBefore() <= now
                    && !state.quarantine.has(QuarantineKind.JOB, job.id())) {
                overdue.add(job);
            }
        }
        if (!overdue.isEmpty() && domain.iteration > 0 && now - domain.now() > CLOCK_JUMP_SECONDS) {
            suspendKills(overdue);
            return;
        }
        for (Job job : overdue) {
            state.work.on(QuarantineKind.JOB, job.id());
            long polled = lastPoll(job);
            if (job.limitEnd() < polled
                    && job.notBefore() <= polled
                    && outbox.command(
                            job, CommandKind.CANCEL_JOB, DecisionKind.CANCEL, now, "WALLCLOCK limit reached")) {
                state.emit(job.edit()
                        .commanded(CommandKind.CANCEL_JOB, outbox.lastNumber(job))
                        .notBefore(now + CANCEL_RETRY_SECONDS));
            }
        }
    }

    /** After a jump of the clock a job may only seem overdue: nobody is killed before the next poll confirms it. */
    private void suspendKills(List<Job> overdue) {
        for (Job job : overdue) {
            state.emit(job.edit().notBefore(lastPoll(job) + 1));
        }
        domain.notice(
                Severity.WARNING,
                "clockjump",
                "scheduler",
                state.cluster,
                "the clock went on by " + (now - domain.now()) + " s at once; " + overdue.size()
                        + " jobs past their limit are not cancelled before the next complete poll");
    }

    private long lastPoll(Job job) {
        return state.lastMeasured(job.request().connector(), now);
    }

    private void askForFullPolls() {
        for (ConnectorState connector : List.copyOf(domain.connectors.values())) {
            if (connector.fullPollWanted()) {
                outbox.fullPoll(connector);
            }
        }
    }

    private void purgeFinished() {
        while (!state.jobs.finished().isEmpty()
                && state.jobs.finished().first().end()
                                + domain.policy.scheduler().jobPurgeSeconds()
                        <= now) {
            state.purge(state.jobs.finished().first());
        }
    }

    private void publish() {
        for (String id : state.nodeChanges.unpublished()) {
            Node node = state.nodes.get(id);
            if (node != null && node.state() == NodeState.REMOVED) {
                state.purge(node);
            }
        }
        if (state.observed) {
            publish(OutputKind.NODE, state.nodeChanges);
            publish(OutputKind.JOB, state.jobChanges);
            publish(OutputKind.RESERVATION, state.reservationChanges);
        }
        state.nodeChanges.published();
        state.jobChanges.published();
        state.reservationChanges.published();
        for (PendingNotice notice : domain.takeNotices(state.cluster)) {
            outbox.notification(notice);
        }
    }

    private void publish(OutputKind kind, EntityChanges changes) {
        changes.unpublished().forEach(id -> outbox.state(kind, changes.toPublish(id)));
    }

    /** Returns the first instant at which this core wants to run again by itself; null for none. */
    private @Nullable Instant nextWake() {
        long wake = AvailabilityProfile.NEVER;
        if (state.planner.nextReserved() > now) {
            wake = state.planner.nextReserved();
        }
        long boundary = state.administrativeReservations.nextBoundary(now);
        if (boundary != TimeArgument.FOREVER) {
            wake = Math.min(wake, boundary);
        }
        long eligible = state.jobs.nextEligible(now);
        if (eligible != Job.NONE) {
            wake = Math.min(wake, eligible);
        }
        if (domain.standing.resumeAt() > now) {
            wake = Math.min(wake, domain.standing.resumeAt());
        }
        if (domain.chunkEnd > now) {
            wake = Math.min(wake, domain.chunkEnd);
        }
        long answer = PluginRequests.nextExpiry(state);
        if (answer != Job.NONE) {
            wake = Math.min(wake, answer);
        }
        for (Job job : state.jobs.active()) {
            if (job.limitEnd() >= now) {
                wake = Math.min(wake, job.limitEnd() + 1);
                break;
            }
            if (job.notBefore() > now) {
                wake = Math.min(wake, job.notBefore());
            }
        }
        if (!domain.requests.isEmpty()) {
            wake = Math.min(wake, now + 1);
        }
        return wake == AvailabilityProfile.NEVER ? null : Instant.ofEpochSecond(wake);
    }
}
