package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.Severity;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job whose start came to nothing, because it was refused or because the job waits again although it was
 * accepted: its nodes are kept for another attempt, or it waits and is deferred after too many of them.
 */
public final class FailedStarts {
    /** Event that says that nodes kept for a refused start are given up. */
    private static final String RETRY_EXPIRED = "rsvretryexpired";

    /** How long a start refused on nodes that stay reserved waits before it is tried again, in seconds. */
    private static final long RETRY_SPACING_SECONDS = 30;

    private final ClusterState state;

    /** Tells what becomes of failed starts in {@code state}. */
    public FailedStarts(ClusterState state) {
        this.state = state;
    }

    /** A start that was accepted, and that no report has shown, was none: the job waits. */
    void neverSeen(Job job, JobEdit edit, @Nullable String reason) {
        String what = "accepted, but its resource manager lists it as waiting" + (reason == null ? "" : ": " + reason);
        String why = "start " + what;
        edit.startUnseen();
        if (!heldForRetry(job, edit, what, why)) {
            counted(job, edit, what, why);
        }
    }

    /**
     * Keeps the nodes of a failed start reserved, where its reservation group says so, until the time for that is up.
     *
     * @param edit the job as it was being started
     * @param what what became of the start, for operators
     */
    boolean heldForRetry(Job job, JobEdit edit, String what, @Nullable String why) {
        DomainState domain = state.domain;
        long since = edit.refusedSince() == Job.NONE ? domain.now() : edit.refusedSince();
        long end = retryEnd(job, since);
        if (end == since) {
            return false;
        }
        if (domain.now() >= end) {
            domain.notice(
                    Severity.WARNING,
                    RETRY_EXPIRED,
                    "job",
                    job.id(),
                    "start of job " + job.id() + " refused for " + (end - since) + " s; its nodes are given up");
            return false;
        }
        long again = Math.min(domain.now() + RETRY_SPACING_SECONDS, end);
        edit.startRefused(again, why).refusedSince(since);
        state.emit(Reservation.of(job, since, placements(job), domain.nextIteration()));
        notice(job, "jobstartfail", what, again);
        return true;
    }

    /** Counts a failed start; the job is tried again later, or deferred. */
    void counted(Job job, JobEdit edit, String what, @Nullable String why) {
        long now = state.domain.now();
        edit.startRefused(now, why);
        putOff(job, edit, now, what);
    }

    /**
     * The nodes kept for a failed start are given up at {@code now}, epoch seconds. Where the time for that is up the job
     * waits, or is deferred, as one does for which none are kept: others may take them.
     */
    public void givenUp(Job job, long now) {
        DomainState domain = state.domain;
        domain.notice(
                Severity.WARNING,
                RETRY_EXPIRED,
                "job",
                job.id(),
                "the nodes kept for job " + job.id() + ", whose start was refused, are given up");
        JobEdit edit = job.edit().refusedSince(Job.NONE);
        if (retryEnd(job, job.refusedSince()) <= now) {
            putOff(job, edit, now, "refused until its nodes were given up");
        }
        state.emit(edit);
    }

    /** Returns until when nodes are kept for a start that was first refused at {@code since}, epoch seconds. */
    private long retryEnd(Job job, long since) {
        String qos = job.qos();
        return since + state.domain.policy.reservations().retrySeconds(qos == null ? "" : qos);
    }

    /** Has a job wait whose last failed start is counted; after too many of them it is deferred. */
    private void putOff(Job job, JobEdit edit, long now, String what) {
        DomainState domain = state.domain;
        boolean defer = edit.startFailures() > domain.policy.scheduler().deferStartCount();
        long again = now
                + (defer
                        ? domain.policy.scheduler().deferSeconds()
                        : domain.policy.scheduler().jobRetrySeconds());
        edit.notBefore(again).refusedSince(Job.NONE);
        if (defer) {
            edit.deferred(again, domain.policy.scheduler().deferCount());
        }
        if (edit.holds().contains(Hold.BATCH)) {
            domain.notice(
                    Severity.WARNING,
                    "jobhold",
                    "job",
                    job.id(),
                    "start of job " + job.id() + " " + what + "; deferred too often, now held");
        } else {
            notice(job, defer ? "jobdefer" : "jobstartfail", what, again);
        }
    }

    /** Tells of a failed start that is tried again at {@code again}. */
    void notice(Job job, String event, String what, long again) {
        state.domain.notice(
                Severity.WARNING,
                event,
                "job",
                job.id(),
                "start of job " + job.id() + " " + what + "; tried again at " + Instant.ofEpochSecond(again));
    }

    private static List<TaskPlacement> placements(Job job) {
        return job.placements().isEmpty()
                ? job.allocation().stream()
                        .map(node -> new TaskPlacement(
                                node.getNodeId(),
                                0,
                                node.getProcs() / job.request().procsPerTask()))
                        .toList()
                : job.placements();
    }
}
