package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Impossibility;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.HoldType;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.QuarantineKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests to hold jobs and to release them. An owner who is no more than that and names no kind of hold means the one that
 * is his own to set and to take away.
 */
final class HoldRequests {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    HoldRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Holds {@code job} by its user unless the request names another kind; or defers it. */
    void hold(AuthorisedRequest request, Job job) {
        HoldType given = request.form().choice("type", HoldType.class);
        HoldType type = given == null ? HoldType.USER : given;
        String by = "requested by " + request.principal();
        if (type == HoldType.DEFER) {
            if (!job.waiting()) {
                outputs.refused(request, "job " + job.id() + " does not wait but is " + state(job));
                return;
            }
            long again = now + state.domain.policy.scheduler().deferSeconds();
            JobEdit edit = Impossibility.withdrawn(job.edit()).deferred(again, Integer.MAX_VALUE);
            state.emit(edit);
            outputs.decision(DecisionKind.DEFER, job, again, Job.NONE, by);
            outputs.accepted(request, "deferred");
            return;
        }
        Set<Hold> kinds = kinds(type);
        if (!job.holds().containsAll(kinds)) {
            JobEdit edit = job.edit();
            kinds.forEach(edit::hold);
            state.emit(edit);
            outputs.decision(DecisionKind.HOLD, job, Job.NONE, Job.NONE, labels(kinds) + " hold, " + by);
        }
        outputs.accepted(request, "held");
    }

    /** Releases the kind of hold that the request names; if it names none, every hold its principal may release. */
    void release(AuthorisedRequest request, Job job) {
        HoldType given = request.form().choice("type", HoldType.class);
        HoldType type =
                given != null ? given : request.level().acting() == AccessLevel.USER ? HoldType.USER : HoldType.ALL;
        boolean deferral = type == HoldType.DEFER || type == HoldType.ALL || type == HoldType.BATCH;
        Set<Hold> kinds = kinds(type);
        Set<Hold> released = EnumSet.noneOf(Hold.class);
        JobEdit edit = job.edit();
        for (Hold kind : kinds) {
            if (job.holds().contains(kind)) {
                released.add(kind);
                edit.release(kind);
            }
        }
        boolean resumed = deferral && !job.active() && job.deferrals() > 0;
        if (resumed) {
            edit.undeferred();
        }
        Set<Hold> rest = edit.holds();
        String kept = keptFromOwner(request, job);
        if (!kept.isEmpty() && released.isEmpty() && !resumed && rest.isEmpty()) {
            outputs.refused(
                    request,
                    "job " + job.id() + " is " + kept + "; its owner cannot release that hold, an operator can");
            return;
        }
        if (released.contains(Hold.SYSTEM)) {
            state.quarantine.remove(QuarantineKind.JOB, job.id());
        }
        if (!released.isEmpty() || resumed) {
            state.emit(edit);
            outputs.decision(
                    DecisionKind.RELEASE,
                    job,
                    Job.NONE,
                    Job.NONE,
                    (released.isEmpty() ? "deferral ended" : labels(released) + " hold released") + ", requested by "
                            + request.principal());
        } else if (!rest.isEmpty()) {
            outputs.refused(request, "job " + job.id() + " has a " + labels(rest) + " hold, which has to be released");
            return;
        }
        if (rest.isEmpty() && kept.isEmpty() && job.state() == JobState.HOLD) {
            releaseThere(request, state.jobs.get(job.id()));
        }
        String remains = !rest.isEmpty()
                ? "; a " + labels(rest) + " hold remains"
                : kept.isEmpty() ? "" : "; the job stays " + kept;
        outputs.accepted(request, "released" + remains);
    }

    /** Returns the hold that the resource manager lets no owner release, in its words; empty where there is none. */
    private static String keptFromOwner(AuthorisedRequest request, Job job) {
        boolean owner = request.level().acting() == AccessLevel.USER;
        if (!owner || job.state() != JobState.HOLD || job.ownerMayRelease()) {
            return "";
        }
        String reason = job.reason();
        return reason == null ? "held by an administrator of the resource manager" : reason;
    }

    /** What the resource manager holds, only it can release; for an owner it releases the owner's hold and no other. */
    private void releaseThere(AuthorisedRequest request, @Nullable Job job) {
        boolean owner = request.level().acting() == AccessLevel.USER;
        if (job != null
                && job.pending() == null
                && outputs.release(job, owner, now, "requested by " + request.principal())) {
            state.emit(job.edit().commanded(CommandKind.RELEASE_JOB, outputs.lastNumber(job)));
        }
    }

    /** Returns the holds that a type stands for; none for a deferral. */
    private static Set<Hold> kinds(HoldType type) {
        return switch (type) {
            case USER -> EnumSet.of(Hold.USER);
            case SYSTEM -> EnumSet.of(Hold.SYSTEM);
            case BATCH -> EnumSet.of(Hold.BATCH);
            case DEFER -> EnumSet.noneOf(Hold.class);
            case ALL -> EnumSet.allOf(Hold.class);
        };
    }

    private static String labels(Set<Hold> holds) {
        List<String> labels = new ArrayList<>();
        holds.forEach(hold -> labels.add(hold.label()));
        return String.join(" and ", labels);
    }

    private static String state(Job job) {
        return job.held() ? "held" : job.state().name();
    }
}
