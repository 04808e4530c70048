package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.ResourceLimit.LimitedResource;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Cancels jobs that still run after the end of their limit, unless RESOURCELIMITPOLICY says what becomes of these. A complete
 * poll behind the end has to say so: the resource
 * manager had its chance at the end itself, and a clock that runs ahead of its clock ends no job. Jobs that are set aside
 * because the scheduler fails on them are no exception: nobody else gives their nodes back.
 */
final class WallclockLimits {
    /** How long a cancel is given before a job that still runs is cancelled again, in seconds. */
    private static final long CANCEL_RETRY_SECONDS = 60;

    /** A step of the clock after which overdue jobs get another chance to be reported ended, in seconds. */
    private static final long CLOCK_JUMP_SECONDS = 600;

    private final ClusterState state;
    private final DomainState domain;
    private final IterationOutputs outputs;
    private final long now;

    WallclockLimits(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.domain = state.domain;
        this.outputs = outputs;
        this.now = now;
    }

    /**
     * Cancels the jobs that are past their limit: none under MODE MONITOR, none that is suspended, and none right after a
     * jump of the clock.
     */
    void enforce() {
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            return;
        }
        List<Job> overdue = new ArrayList<>();
        for (Job job : state.jobs.active()) {
            if (job.plannedEnd() >= now) {
                break;
            }
            if (job.limitEnd() < now
                    && !leftToPolicy(job)
                    && job.pending() == null
                    && job.state() != JobState.SUSPENDED
                    && job.notBefore() <= now) {
                overdue.add(job);
            }
        }
        if (!overdue.isEmpty() && domain.iteration > 0 && now - domain.now() > CLOCK_JUMP_SECONDS) {
            suspendKills(overdue);
            return;
        }
        for (Job job : overdue) {
            blame(job);
            long polled = lastPoll(job);
            if (job.limitEnd() < polled
                    && job.notBefore() <= polled
                    && outputs.command(
                            job, CommandKind.CANCEL_JOB, DecisionKind.CANCEL, now, "WALLCLOCK limit reached")) {
                state.objectEvents.raise(
                        "jobwcviolation", "job", job.id(), "job " + job.id() + " runs beyond its limit");
                state.emit(job.edit()
                        .commanded(CommandKind.CANCEL_JOB, outputs.lastNumber(job))
                        .notBefore(now + CANCEL_RETRY_SECONDS));
            }
        }
    }

    /** Returns whether {@link JobLimits} acts on a job that is past its limit. */
    private boolean leftToPolicy(Job job) {
        return job.state() == JobState.RUNNING
                && domain.policy.allocation().limits(LimitedResource.WALLTIME)
                && !state.quarantine.has(QuarantineKind.JOB, job.id());
    }

    /** Says which job is worked on; not for one that is set aside already, as to set it aside again helps nobody. */
    private void blame(Job job) {
        if (state.quarantine.has(QuarantineKind.JOB, job.id())) {
            state.work.onNothing();
        } else {
            state.work.on(QuarantineKind.JOB, job.id());
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
        return domain.lastMeasured(job.request().connector(), now);
    }
}
