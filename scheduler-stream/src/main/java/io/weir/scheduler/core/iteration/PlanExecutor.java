package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.backfill.PlanActions;
import io.weir.scheduler.core.fact.FailedStarts;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.output.LienRequests;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.node.PartitionPolicy;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.policy.scheduler.SchedulerSettings;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.Severity;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out what the planning pass decides, at once: commands, changes of jobs and reservations, decisions for the log.
 * Under MODE MONITOR nothing is started; the nodes a job would have had are taken for the rest of the pass. Used in one
 * iteration.
 */
final class PlanExecutor implements PlanActions {
    /** Begins the message of a job that ends too late. */
    private static final String LATE = "deadline cannot be met: ";

    private final ClusterState state;
    private final DomainState domain;
    private final IterationOutputs outputs;
    private final PluginRequests pluginRequests;
    private final LienRequests lienRequests;
    private final long now;
    private final FailedStarts failedStarts;
    private final Preemptees preemptees;

    /** MODE MONITOR: nodes named in this pass, given back at its end. */
    private final List<Job> borrowed = new ArrayList<>();

    PlanExecutor(
            ClusterState state,
            IterationOutputs outputs,
            PluginRequests pluginRequests,
            LienRequests lienRequests,
            long now) {
        this.state = state;
        this.domain = state.domain;
        this.outputs = outputs;
        this.pluginRequests = pluginRequests;
        this.lienRequests = lienRequests;
        this.now = now;
        failedStarts = new FailedStarts(state);
        preemptees = new Preemptees(state, outputs, now);
    }

    /** Gives back the nodes that jobs took under MODE MONITOR. */
    void giveBackBorrowed() {
        borrowed.forEach(job -> state.nodes.release(job.id(), job.shares()));
    }

    @Override
    public void considering(Job job) {
        state.work.on(QuarantineKind.JOB, job.id());
    }

    @Override
    public boolean awaited(Job job, List<TaskShare> shares, boolean placed) {
        boolean nodes = !placed && pluginRequests.awaits(job);
        boolean funds = lienRequests.awaits(job, shares);
        return nodes || funds;
    }

    @Override
    public boolean start(Job job, List<TaskShare> shares, boolean ahead) {
        if (!outputs.reaches(job)) {
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
        String commandId = outputs.start(job, nodes, now, reserved ? "reserved start" : "fits now");
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
            edit.commanded(CommandKind.START_JOB, outputs.lastNumber(job));
        }
        state.started(state.emit(edit));
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
    public void reserve(Job job, long start, List<TaskShare> shares, boolean forDeadline) {
        Reservation old = state.reservations.get(job.id());
        Reservation next = Reservation.of(job, start, placements(shares), forDeadline, domain.nextIteration());
        if (old == null || !old.sameAs(next)) {
            state.emit(next);
            outputs.decision(
                    old == null ? DecisionKind.RESERVE : DecisionKind.MOVE_RESERVATION,
                    job,
                    start,
                    next.end(),
                    (old == null ? "cannot start now" : "earliest start moved")
                            + (next.type() == ReservationType.DEADLINE ? ", in time for its deadline" : "")
                            + inSets(job, shares));
        }
        if (job.inTime(start) && isLate(job)) {
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
        failedStarts.givenUp(job, now);
    }

    @Override
    public boolean impossible(Job job) {
        if (!outputs.polled(job) || job.request().options().excludedForNow()) {
            return false;
        }
        String why = new ImpossibleRequest(state).why(job);
        SchedulerSettings settings = domain.policy.scheduler();
        if (settings.deferSeconds() > 0) {
            long again = now + settings.deferSeconds();
            if (job.reconsidered()) {
                // Each of many new nodes may have been the one that it waits for: nobody needs to hear that it was not.
                state.emit(job.edit().message(why).deferredAsBefore(again));
                return true;
            }
            JobEdit edit = job.edit().message(why).deferred(again, settings.deferCount());
            state.emit(edit);
            if (edit.holds().contains(Hold.BATCH)) {
                outputs.decision(DecisionKind.HOLD, job, Job.NONE, Job.NONE, why + "; deferred too often");
                domain.notice(Severity.WARNING, "jobhold", "job", job.id(), "job " + job.id() + " held: " + why);
            } else {
                outputs.decision(DecisionKind.DEFER, job, again, Job.NONE, why);
                domain.notice(Severity.WARNING, "jobdefer", "job", job.id(), "job " + job.id() + " deferred: " + why);
            }
            return true;
        }
        if (!job.messages().contains(why)) {
            state.emit(job.edit().message(why));
            outputs.decision(DecisionKind.DEFER, job, Job.NONE, Job.NONE, why);
        }
        return false;
    }

    @Override
    public boolean preempts() {
        return preemptees.any();
    }

    @Override
    public long nextPreemptee() {
        return preemptees.next();
    }

    @Override
    public List<Job> preemptees(Job job) {
        return preemptees.of(job);
    }

    @Override
    public void preempt(Job job, List<Job> victims) {
        new Preemptions(state, outputs, now).begin(job, victims);
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
            outputs.released(old);
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
            outputs.start(job, nodes, now, "MODE MONITOR: not carried out");
            state.emit(job.edit().monitoredStart(now));
        }
    }
}
