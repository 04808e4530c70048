package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.ClassLimits;
import io.weir.scheduler.core.policy.node.ResourceLimit;
import io.weir.scheduler.core.policy.node.ResourceLimit.LimitedResource;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.state.LimitViolation;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds waiting jobs that ask for more than their class allows, and acts on running jobs that use more than they asked
 * for. One iteration's use.
 */
final class JobLimits {
    /** How long a command is given before it is sent again, in seconds. */
    private static final long RETRY_SECONDS = 60;

    /** Violations followed at a time; others are once these are over. */
    private static final int MOST_VIOLATIONS = 10_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    JobLimits(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Holds those of {@code jobs} that wait and ask for too much; an operator may release them nevertheless. */
    void holdExcessive(Collection<String> jobs) {
        if (jobs.isEmpty() || state.domain.policy.classes().isEmpty()) {
            return;
        }
        for (String id : List.copyOf(jobs)) {
            Job job = state.jobs.get(id);
            if (job == null || !job.waiting() || state.quarantine.has(QuarantineKind.JOB, id)) {
                continue;
            }
            state.work.on(QuarantineKind.JOB, id);
            String refusal = ClassLimits.refusal(state.domain.policy, job.request());
            if (refusal != null && !job.messages().contains(refusal)) {
                state.emit(job.edit().hold(Hold.BATCH).message(refusal));
                outputs.decision(DecisionKind.HOLD, job, Job.NONE, Job.NONE, refusal);
                state.domain.notice(Severity.WARNING, "jobreject", "job", id, "job " + id + " held: " + refusal);
            }
        }
    }

    /** Acts on running jobs as RESOURCELIMITPOLICY says. */
    void actOnExcess() {
        List<ResourceLimit> limits = state.domain.policy.allocation().limits();
        SortedMap<String, LimitViolation> violations = state.domain.violations;
        if (limits.isEmpty()) {
            violations.clear();
            return;
        }
        SortedMap<String, LimitViolation> still = new TreeMap<>();
        for (Job job : new ArrayList<>(state.jobs.active())) {
            if (state.quarantine.has(QuarantineKind.JOB, job.id())) {
                continue;
            }
            state.work.on(QuarantineKind.JOB, job.id());
            for (ResourceLimit limit : limits) {
                String excess = job.state() == JobState.RUNNING ? excess(job, limit.resource()) : null;
                if (excess != null) {
                    String key = job.id() + "/" + limit.resource();
                    LimitViolation known = violations.get(key);
                    if (known == null && still.size() >= MOST_VIOLATIONS) {
                        continue;
                    }
                    if (known == null) {
                        known = new LimitViolation(job.id(), limit.resource().name(), now, false);
                        tell(job, limit.resource(), still.containsKey(key));
                    }
                    boolean due = now - known.getSince() >= limit.graceSeconds();
                    boolean acted = due && act(job, limit, excess, known.getActed());
                    still.put(
                            key,
                            new LimitViolation(
                                    job.id(), limit.resource().name(), known.getSince(), known.getActed() || acted));
                }
            }
        }
        violations.clear();
        violations.putAll(still);
    }

    /** Tells triggers of a job that is found past its wallclock limit. */
    private void tell(Job job, LimitedResource resource, boolean told) {
        if (resource == LimitedResource.WALLTIME && !told) {
            state.objectEvents.raise("jobwcviolation", "job", job.id(), "job " + job.id() + " runs beyond its limit");
        }
    }

    private boolean act(Job job, ResourceLimit limit, String excess, boolean before) {
        if (limit.action() == ResourceLimit.LimitAction.NOTIFY) {
            if (!before) {
                state.domain.notice(
                        Severity.WARNING, "joblimit", "job", job.id(), "job " + job.id() + " uses " + excess);
            }
            return true;
        }
        Job current = state.jobs.get(job.id());
        boolean monitoring = state.domain.policy.scheduler().mode() == Mode.MONITOR;
        if (monitoring || current == null || current.pending() != null || current.notBefore() > now) {
            return false;
        }
        CommandKind command = switch (limit.action()) {
            case CANCEL, NOTIFY -> CommandKind.CANCEL_JOB;
            case REQUEUE -> CommandKind.REQUEUE_JOB;
            case SUSPEND -> CommandKind.SUSPEND_JOB;
        };
        DecisionKind decision = switch (limit.action()) {
            case CANCEL, NOTIFY -> DecisionKind.CANCEL;
            case REQUEUE -> DecisionKind.REQUEUE;
            case SUSPEND -> DecisionKind.SUSPEND;
        };
        if (!outputs.command(current, command, decision, now, excess)) {
            return false;
        }
        state.emit(
                current.edit().commanded(command, outputs.lastNumber(current)).notBefore(now + RETRY_SECONDS));
        return true;
    }

    /**
     * Returns what {@code job} uses too much of {@code resource}; null when it does not, or nobody measures it. That it runs
     * past its wallclock limit a complete poll behind the end has to say: a clock that runs ahead ends no job.
     */
    private @Nullable String excess(Job job, LimitedResource resource) {
        JobRequest request = job.request();
        return switch (resource) {
            case CPUTIME -> {
                Long most = ClassLimits.cpuSeconds(state.domain.policy, request);
                yield excess("processor seconds", job.usedCpuSeconds(), most);
            }
            case WALLTIME ->
                job.limitEnd() < state.domain.lastMeasured(request.connector(), now)
                        ? excess("seconds", now - job.limitEnd() + job.limitSeconds(), job.limitSeconds())
                        : null;
            case MEM -> {
                long asked = 0;
                for (Requirement requirement : request.requirements()) {
                    asked += Math.max(
                            requirement.memoryMb(),
                            requirement.resources().perNode().memoryMb()
                                    * job.shares().size());
                }
                if (request.moldable()) {
                    asked = Math.max(
                            asked,
                            job.shares().stream()
                                    .mapToLong(share -> share.held().memoryMb())
                                    .sum());
                }
                yield excess("MB of memory", job.usedMemoryMb(), asked == 0 ? null : Long.valueOf(asked));
            }
            case PROC, SWAP, DISK -> null;
        };
    }

    private static @Nullable String excess(String unit, @Nullable Long used, @Nullable Long most) {
        return used == null || most == null || used <= most ? null : used + " " + unit + " used, limit " + most;
    }
}
