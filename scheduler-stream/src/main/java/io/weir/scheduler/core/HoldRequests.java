package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.policy.AdminLevel;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests to hold jobs and to release them. Whoever asks for a kind by name was allowed to by the API; an owner who names
 * none means the hold that is his own to set and to take away.
 */
final class HoldRequests {
    private static final String ALL = "ALL";
    private static final String DEFER = "DEFER";
    private static final String KINDS = "user, system, batch, defer or all is needed";

    private final ClusterState state;
    private final Outbox outbox;
    private final long now;

    HoldRequests(ClusterState state, Outbox outbox, long now) {
        this.state = state;
        this.outbox = outbox;
        this.now = now;
    }

    /** Holds {@code job} by {@code type}, by its user when that is null; or defers it. */
    void hold(PendingRequest request, Job job, @Nullable String type) {
        String word = type == null ? Hold.USER.name() : type.toUpperCase(Locale.ROOT);
        String by = "requested by " + request.getPrincipal();
        if (word.equals(DEFER)) {
            if (!job.waiting()) {
                outbox.refused(request, "job " + job.id() + " does not wait but is " + state(job));
                return;
            }
            long again = now + state.domain.policy.scheduler().deferSeconds();
            JobEdit edit = job.edit().deferred(again, Integer.MAX_VALUE);
            state.emit(edit);
            outbox.decision(DecisionKind.DEFER, job, again, Job.NONE, by);
            outbox.accepted(request, "deferred");
            return;
        }
        Set<Hold> kinds = kinds(word);
        if (kinds.isEmpty()) {
            outbox.refused(request, "type is '" + type + "'; " + KINDS);
            return;
        }
        if (!job.holds().containsAll(kinds)) {
            JobEdit edit = job.edit();
            kinds.forEach(edit::hold);
            state.emit(edit);
            outbox.decision(DecisionKind.HOLD, job, Job.NONE, Job.NONE, labels(kinds) + " hold, " + by);
        }
        outbox.accepted(request, "held");
    }

    /** Releases the hold {@code type}; when that is null, every hold the principal may release without naming it. */
    void release(PendingRequest request, Job job, @Nullable String type) {
        String word = type != null ? type.toUpperCase(Locale.ROOT) : owns(state, request, job) ? Hold.USER.name() : ALL;
        boolean deferral = word.equals(DEFER) || word.equals(ALL) || word.equals(Hold.BATCH.name());
        Set<Hold> kinds = word.equals(DEFER) ? EnumSet.noneOf(Hold.class) : kinds(word);
        if (kinds.isEmpty() && !deferral) {
            outbox.refused(request, "type is '" + type + "'; " + KINDS);
            return;
        }
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
        if (!released.isEmpty() || resumed) {
            state.emit(edit);
            outbox.decision(
                    DecisionKind.RELEASE,
                    job,
                    Job.NONE,
                    Job.NONE,
                    (released.isEmpty() ? "deferral ended" : labels(released) + " hold released") + ", requested by "
                            + request.getPrincipal());
        } else if (!rest.isEmpty()) {
            outbox.refused(request, "job " + job.id() + " has a " + labels(rest) + " hold, which has to be released");
            return;
        }
        if (rest.isEmpty() && job.state() == JobState.HOLD) {
            releaseThere(state.jobs.get(job.id()), "requested by " + request.getPrincipal());
        }
        outbox.accepted(request, rest.isEmpty() ? "released" : "released; a " + labels(rest) + " hold remains");
    }

    /** What the resource manager holds, for its user or an administrator, only it can release. */
    private void releaseThere(@Nullable Job job, String reason) {
        if (job != null
                && job.pending() == null
                && outbox.command(job, CommandKind.RELEASE_JOB, DecisionKind.RELEASE, now, reason)) {
            state.emit(job.edit().commanded(CommandKind.RELEASE_JOB, outbox.lastNumber(job)));
        }
    }

    /** Returns whether the principal is the job's owner and nobody whom the configuration lets do more. */
    static boolean owns(ClusterState state, PendingRequest request, Job job) {
        return Objects.equals(request.getPrincipal(), job.request().labels().user())
                && state.domain.policy.admins().stream()
                        .filter(level -> level.level() != 3)
                        .map(AdminLevel::users)
                        .noneMatch(users -> users.contains(request.getPrincipal()) || users.contains(ALL));
    }

    private static Set<Hold> kinds(String word) {
        if (word.equals(ALL)) {
            return EnumSet.allOf(Hold.class);
        }
        Hold hold = Hold.of(word);
        return hold == null ? EnumSet.noneOf(Hold.class) : EnumSet.of(hold);
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
