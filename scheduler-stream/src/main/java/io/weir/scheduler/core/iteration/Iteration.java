package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.automation.response.EventResponses;
import io.weir.scheduler.core.automation.trigger.TriggerRuns;
import io.weir.scheduler.core.category.LabelCollisions;
import io.weir.scheduler.core.fact.QuarantineControl;
import io.weir.scheduler.core.failure.Cleanups;
import io.weir.scheduler.core.failure.KeptForRepair;
import io.weir.scheduler.core.failure.NodeFailures;
import io.weir.scheduler.core.failure.SilentManagers;
import io.weir.scheduler.core.failure.TransientFailures;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeMessage;
import io.weir.scheduler.core.output.ExplanationPublisher;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.output.LienRequests;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.scheduler.BackfillSettings;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.recovery.Recoveries;
import io.weir.scheduler.core.recovery.SparePools;
import io.weir.scheduler.core.request.RequestDispatcher;
import io.weir.scheduler.core.request.ReservationRequests;
import io.weir.scheduler.core.request.SchedulerRequests;
import io.weir.scheduler.core.reservation.control.FormerTerms;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.SchedulerStatus;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling iteration: policy change, requests, wallclock limits, the planning pass, then publication of every
 * entity whose version changed since the last one. Used once.
 */
public final class Iteration {
    private final ClusterState state;
    private final DomainState domain;
    private final long nowMillis;
    private final long now;
    private final boolean listened;
    private final IterationOutputs outputs;
    private final PluginRequests pluginRequests;
    private final LienRequests lienRequests;
    private final EntityPublisher publisher;

    /**
     * Prepares an iteration.
     *
     * @param nowMillis its instant, milliseconds since 1970; an earlier one than the last iteration's counts as that one
     * @param listened whether the scheduler has listened long enough for silence of a resource manager to count
     */
    public Iteration(ClusterState state, long nowMillis, boolean listened) {
        this.state = state;
        this.domain = state.domain;
        this.nowMillis = Math.max(nowMillis, domain.nowMillis);
        this.now = Math.floorDiv(this.nowMillis, 1000L);
        this.listened = listened;
        state.clock = now;
        this.outputs = new IterationOutputs(state, domain.nextIteration(), Instant.ofEpochMilli(this.nowMillis));
        this.pluginRequests = new PluginRequests(state, outputs, now);
        this.lienRequests = new LienRequests(state, outputs, now);
        this.publisher = new EntityPublisher(state, outputs);
    }

    public IterationResult run() {
        state.work.onNothing();
        state.objectEvents.begin(state.administrativeReservations.all(), domain.now(), now);
        if (suspended()) {
            publisher.publish();
            state.work.onNothing();
            long resume = domain.standing.resumeAt();
            return closed(resume == Job.NONE ? null : Instant.ofEpochSecond(resume));
        }
        QuarantineControl.release(state);
        state.beginStatistics();
        if (domain.iteration == 0) {
            dateNodes();
        }
        boolean policyChanged = adoptPolicy();
        state.work.onNothing();
        new ExpiredMessages(state, now).settle();
        CategoryUpdate categories = new CategoryUpdate(state, outputs, now);
        categories.begin();
        if (SchedulerRequests.resumeWhenDue(domain, state.cluster, now)) {
            state.replan();
        }
        ReservationRequests reservations = new ReservationRequests(state, outputs, now);
        TransientFailures failures = new TransientFailures(state, reservations, now);
        EventResponses responses = new EventResponses(state, outputs, failures);
        responses.respond(nowMillis);
        TriggerRuns triggers = new TriggerRuns(state, outputs, now);
        triggers.fire();
        if (listened) {
            new SilentManagers(state, now).settle();
        }
        reservations.manager().resize(policyChanged ? nodeIds() : state.nodeChanges.unpublished());
        failures.settle();
        new Cleanups(state, now).settle();
        reservations.manager().begin(domain.capacityFreed);
        Recoveries recoveries = new Recoveries(state, outputs, now);
        recoveries.settle();
        RequestDispatcher dispatcher = new RequestDispatcher(state, outputs, reservations, now);
        dispatcher.carryOut();
        triggers.collect();
        state.work.onNothing();
        recoveries.notice();
        new SparePools(state, now).fill();
        JobLimits limits = new JobLimits(state, outputs, now);
        limits.holdExcessive(policyChanged ? state.jobs.waitingIds() : state.jobChanges.unpublished());
        limits.actOnExcess();
        new NodeFailures(state, outputs, now).settle();
        new WallclockLimits(state, outputs, now).enforce();
        new Preemptions(state, outputs, now).settle();
        state.work.onNothing();
        reservations.manager().settle();
        new KeptForRepair(state, now).settle();
        new ReservationCopies(state, outputs, now).settle();
        state.work.onNothing();
        state.rank();
        boolean freed = domain.capacityFreed;
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            state.planner.invalidate();
        }
        boolean schedules = domain.standing.schedules() && !waitsForTriggers();
        state.beginPlacement(now);
        if (schedules) {
            schedule(freed);
        }
        ExplanationPublisher explaining = new ExplanationPublisher(state, now);
        dispatcher.answerQuestions(explaining);
        state.work.onNothing();
        purgeFinished();
        takeInOmitted();
        askForFullPolls();
        SchedulerRequests.stopWhenDue(state, now);
        categories.finish();
        Charges charges = new Charges(state, outputs, now);
        charges.flush();
        charges.publish();
        responses.respond(nowMillis);
        state.work.onNothing();
        publisher.publish();
        explaining.update(outputs);
        state.work.onNothing();
        domain.capacityFreed &= !schedules || state.planner.startedEnough();
        return closed(NextWake.after(state, nowMillis));
    }

    /**
     * Says whether the cluster is suspended because the scheduler fails on it. Then only requests about the scheduler
     * itself are carried out; one of them may end it.
     */
    private boolean suspended() {
        if (domain.standing.state() == SchedulerStatus.State.SUSPENDED
                && SchedulerRequests.resumeWhenDue(domain, state.cluster, now)) {
            state.quarantine.remove(QuarantineKind.CLUSTER, state.cluster);
            state.replan();
        }
        if (domain.standing.state() == SchedulerStatus.State.SUSPENDED) {
            new RequestDispatcher(state, outputs, new ReservationRequests(state, outputs, now), now)
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
                state.records.drain(),
                outputs.outputs(),
                nextWake,
                domain.commandCounts(),
                domain.policyVersion,
                domain.runtimeSettings().toRecords(),
                domain.publicStanding(),
                listened);
    }

    /**
     * Says whether no job starts because actions of triggers are awaited. After the longest time for which one is, jobs start
     * once, however many follow each other.
     */
    private boolean waitsForTriggers() {
        boolean blocked = state.triggers.firings().blockedUntil(now) != null;
        if (blocked && domain.blockedSince == Job.NONE) {
            domain.blockedSince = now;
        }
        boolean waits = blocked && now < domain.blockedSince + TriggerSpec.LONGEST_BLOCK;
        if (!waits) {
            domain.blockedSince = Job.NONE;
        }
        return waits;
    }

    /** Starts and reserves what the nodes allow. */
    private void schedule(boolean freed) {
        pluginRequests.tidy();
        lienRequests.settle();
        state.planner.chunkUntil(chunk(freed));
        state.planner.lastStarted(domain.lastPartition);
        state.planner.iteration(domain.iteration);
        PlanExecutor executor = new PlanExecutor(state, outputs, pluginRequests, lienRequests, now);
        domain.planProgress = state.planner.plan(now, freed, domain.planProgress, executor);
        pluginRequests.review();
        state.work.onNothing();
        for (String failure : state.placement.pluginFailures()) {
            domain.notice(Severity.WARNING, PluginRequests.FAILURE, "scheduler", state.cluster, failure);
        }
        executor.giveBackBorrowed();
    }

    /** Nodes that came before the clock was known are in their state since now. */
    private void dateNodes() {
        for (Node node : state.nodes.all()) {
            state.work.on(QuarantineKind.NODE, node.id());
            boolean undated = node.stateSince() == 0;
            if (undated || node.nextExpiry() != NodeMessage.NEVER) {
                state.emit((undated ? node.since(now) : node).warnedAt(now));
            }
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

    private List<String> nodeIds() {
        return state.nodes.all().stream().map(Node::id).toList();
    }

    /** Puts a waiting policy in force; returns whether there was one. */
    private boolean adoptPolicy() {
        DomainState.PendingPolicy next = domain.nextPolicy;
        if (next == null) {
            return false;
        }
        state.work.on(QuarantineKind.POLICY, next.version());
        state.quarantine.removeAll(QuarantineKind.STANDING_RESERVATION);
        state.quarantine.removeAll(QuarantineKind.TRIGGER);
        SitePolicy before = domain.policy;
        SitePolicy.Reading reading = domain.adoptPolicy();
        if (reading == null) {
            return false;
        }
        state.fairshare.change(domain.policy.fairshare());
        state.reconfigure();
        state.settleQos();
        state.watch.scheduler(state.cluster, TriggerEvent.MODIFY);
        state.watch.measureAnew(state.nodes, now);
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
        List<String> warnings = new ArrayList<>(LabelCollisions.warnings(domain.policy.categories(), state.jobs.all()));
        warnings.addAll(FormerTerms.warnings(before, domain.policy, state.administrativeReservations));
        for (String warning : warnings) {
            domain.notice(Severity.WARNING, "configproblem", "scheduler", state.cluster, warning);
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

    private void askForFullPolls() {
        for (ConnectorState connector : domain.connectors.values()) {
            if (connector.fullPollWanted()) {
                outputs.fullPoll(connector);
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
        while (state.jobs.hasTooManyFinished()) {
            state.purge(state.jobs.finished().first());
        }
    }

    private boolean anyOmitted() {
        for (ConnectorState connector : domain.connectors.values()) {
            if (connector.omittedJobs() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Jobs that found no room are listed again once there is some. */
    private void takeInOmitted() {
        if (!anyOmitted() || !state.jobs.hasRoomAgain()) {
            return;
        }
        for (ConnectorState connector : List.copyOf(domain.connectors.values())) {
            if (connector.omittedJobs() > 0) {
                domain.connectors.put(connector.id(), connector.omitting(0).fullPoll(true));
                domain.notice(
                        Severity.INFO,
                        "jobsomitted",
                        "rm",
                        connector.id(),
                        "there is room again: connector " + connector.id() + " lists all jobs, "
                                + connector.omittedJobs() + " reports of jobs were not taken in");
            }
        }
    }
}
