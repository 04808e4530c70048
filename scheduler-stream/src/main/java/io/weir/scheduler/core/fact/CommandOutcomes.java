package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.ReservationCopy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobState;
import io.weir.schemas.Severity;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the answers of resource managers to commands do to the state. Only the answer to the last command of a job counts. */
public final class CommandOutcomes {
    /** Event that says that nodes kept for a refused start are given up. */
    public static final String RETRY_EXPIRED = "rsvretryexpired";

    /** How long a start refused on nodes that stay reserved waits before it is tried again, in seconds. */
    private static final long RETRY_SPACING_SECONDS = 30;

    private final ClusterState state;

    CommandOutcomes(ClusterState state) {
        this.state = state;
    }

    void apply(CommandResult result) {
        String jobId = result.getJobId();
        if (jobId == null) {
            mirrored(result);
            return;
        }
        Job job = state.jobs.get(jobId);
        if (job == null || job.pending() == null || job.commandNumber() != result.getNumber()) {
            return;
        }
        recovery(job, result);
        JobEdit edit = job.edit().answered();
        switch (result.getOutcome()) {
            case DONE -> done(job, edit, result);
            case REFUSED -> refused(job, edit, result);
            case EXPIRED -> {
                if (job.state() == JobState.STARTING) {
                    edit.queued(result.getMessage());
                } else if (job.failedNodes().endsRun()) {
                    stays(job, edit, null);
                } else if (job.pending() == CommandKind.ADD_NODES) {
                    state.domain.askForEverything(job.request().connector());
                }
            }
            case UNKNOWN -> {
                // Refused by the check.
            }
        }
        state.emit(edit);
    }

    /** Tells a recovery that waits for this answer. */
    private void recovery(Job job, CommandResult result) {
        NonstopJob record = state.nonstop.get(job.id());
        Recovery step = record == null ? null : record.step();
        if (step != null && step.outcome() == Recovery.Outcome.OPEN && step.command() == result.getNumber()) {
            String message = result.getMessage();
            String why = message == null ? result.getOutcome().name() : message;
            state.nonstop.edit(job.id()).step(step.answered(result.getOutcome() == CommandOutcome.DONE, why));
        }
    }

    /** What became of the copy of a reservation. */
    private void mirrored(CommandResult result) {
        ReservationCopy copy = state.domain.copies.values().stream()
                .filter(c -> c.connector().equals(result.getConnector()) && c.command() == result.getNumber())
                .findFirst()
                .orElse(null);
        if (copy == null) {
            return;
        }
        if (result.getOutcome() == CommandOutcome.REFUSED) {
            state.domain.notice(
                    Severity.INFO,
                    "rsvnotmirrored",
                    "rsv",
                    copy.reservation(),
                    "reservation " + copy.reservation() + " is not shown by " + copy.connector() + ": "
                            + result.getMessage());
        }
        if (result.getOutcome() == CommandOutcome.EXPIRED) {
            state.domain.copies.put(copy.key(), copy.lost());
        } else if (copy.gone()) {
            state.domain.copies.remove(copy.key());
        }
    }

    private void done(Job job, JobEdit edit, CommandResult result) {
        if (job.state() == JobState.STARTING) {
            Instant effect = result.getEffectTime();
            edit.running(JobState.RUNNING, effect == null ? job.start() : effect.getEpochSecond(), job.allocation());
        } else if (job.pending() == CommandKind.REQUEUE_JOB) {
            edit.queued(result.getMessage());
        }
    }

    private void refused(Job job, JobEdit edit, CommandResult result) {
        DomainState domain = state.domain;
        if (job.state() == JobState.STARTING && !heldForRetry(job, edit, result)) {
            boolean defer = job.startFailures() + 1 > domain.policy.scheduler().deferStartCount();
            long again = domain.now()
                    + (defer
                            ? domain.policy.scheduler().deferSeconds()
                            : domain.policy.scheduler().jobRetrySeconds());
            edit.startRefused(again, result.getMessage()).refusedSince(Job.NONE);
            if (defer) {
                edit.deferred(again, domain.policy.scheduler().deferCount());
            }
            if (edit.holds().contains(Hold.BATCH)) {
                domain.notice(
                        Severity.WARNING,
                        "jobhold",
                        "job",
                        job.id(),
                        "start of job " + job.id() + " refused: " + result.getMessage()
                                + "; deferred too often, now held");
            } else {
                noticeRefusal(job, defer ? "jobdefer" : "jobstartfail", again, result);
            }
        } else if (job.state() != JobState.STARTING) {
            if (job.pending() == CommandKind.ADD_NODES) {
                state.domain.askForEverything(job.request().connector());
            }
            if (job.failedNodes().endsRun()) {
                stays(job, edit, FailureAction.IGNORE);
            }
            domain.notice(
                    Severity.WARNING,
                    "commandrefused",
                    "job",
                    job.id(),
                    job.pending() + " of job " + job.id() + " refused: " + result.getMessage());
        }
    }

    /** A job that was to give up its nodes after a failure goes on; without {@code instead} it is answered anew. */
    private static void stays(Job job, JobEdit edit, @Nullable FailureAction instead) {
        if (job.failedNodes().answeredBy(FailureAction.HOLD)) {
            edit.release(Hold.BATCH);
        }
        edit.failed(job.failedNodes().withdrawn(instead));
    }

    /** Keeps the nodes of a refused start reserved, where its reservation group says so, until the time for that is up. */
    private boolean heldForRetry(Job job, JobEdit edit, CommandResult result) {
        DomainState domain = state.domain;
        String qos = job.qos();
        long hold = domain.policy.reservations().retrySeconds(qos == null ? "" : qos);
        long since = job.refusedSince() == Job.NONE ? domain.now() : job.refusedSince();
        if (hold == 0) {
            return false;
        }
        if (domain.now() >= since + hold) {
            domain.notice(
                    Severity.WARNING,
                    RETRY_EXPIRED,
                    "job",
                    job.id(),
                    "start of job " + job.id() + " refused for " + hold + " s; its nodes are given up");
            return false;
        }
        long again = Math.min(domain.now() + RETRY_SPACING_SECONDS, since + hold);
        edit.startRefused(again, result.getMessage()).refusedSince(since);
        state.emit(Reservation.of(job, since, placements(job), domain.nextIteration()));
        noticeRefusal(job, "jobstartfail", again, result);
        return true;
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

    private void noticeRefusal(Job job, String event, long again, CommandResult result) {
        state.domain.notice(
                Severity.WARNING,
                event,
                "job",
                job.id(),
                "start of job " + job.id() + " refused: " + result.getMessage() + "; tried again at "
                        + Instant.ofEpochSecond(again));
    }
}
