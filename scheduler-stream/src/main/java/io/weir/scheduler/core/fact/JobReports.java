package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What reports of jobs do to the state. A report that is older than a command of Weir changes nothing that the command is
 * about.
 */
final class JobReports {
    private final ClusterState state;
    private final JobDefaults defaults;
    private final LostNodes lostNodes;
    private final FailedStarts failedStarts;

    JobReports(ClusterState state, LostNodes lostNodes) {
        this.state = state;
        this.lostNodes = lostNodes;
        defaults = new JobDefaults(state);
        failedStarts = new FailedStarts(state);
    }

    void apply(JobReport report, Fact fact) {
        state.work.on(QuarantineKind.JOB, report.getJobId());
        Job known = state.jobs.get(report.getJobId());
        JobRequest request = defaults.completed(report, JobRequest.from(report, fact.connector()), known);
        if (known == null) {
            newJob(report, request, fact.epoch());
        } else if (isAnother(report, request, known)) {
            if (!known.finished()) {
                state.emit(known.edit()
                        .finished(JobState.REMOVED, state.domain.now(), null, "its id was given to another job"));
            }
            newJob(report, request, fact.epoch());
        } else if (!known.finished() || revived(report)) {
            boolean asBefore = request.equals(known.request());
            knownJob(report, known, asBefore ? known.request() : request, fact.epoch());
        }
    }

    /** A resource manager that lost its state gives ids again; what is known of the job that had one is nothing to the next. */
    private static boolean isAnother(JobReport report, JobRequest request, Job known) {
        String user = request.credentials().user();
        String before = known.request().credentials().user();
        boolean ofAnotherUser = user != null && before != null && !user.equals(before);
        return ofAnotherUser || (request.submit() > known.request().submit() && isSubmission(report, known));
    }

    /** Says whether the later submission time of a report is that of another job, and not of a requeue. */
    private static boolean isSubmission(JobReport report, Job known) {
        Boolean original = report.getOriginalSubmitTime();
        return original == null ? known.finished() : original;
    }

    /** A finished job that its resource manager lists again as waiting or running was requeued there. */
    private static boolean revived(JobReport report) {
        return switch (report.getState()) {
            case IDLE, HOLD, RUNNING, SUSPENDED -> true;
            case UNKNOWN, STARTING, COMPLETED, FAILED, CANCELLED, REMOVED -> false;
        };
    }

    private void newJob(JobReport report, JobRequest request, long epoch) {
        boolean waits = report.getState() == JobState.IDLE || report.getState() == JobState.HOLD;
        String full = waits ? state.jobs.refusal(request) : null;
        if (full != null) {
            omit(request, full);
            return;
        }
        JobEdit edit = JobEdit.submitted(request).reported(request, epoch);
        remark(edit, report, request);
        String refusal = request.extension().refusal();
        switch (report.getState()) {
            case IDLE ->
                state.emit(
                        refusal == null
                                ? edit
                                : edit.heldByResourceManager(refusal).message(refusal));
            case HOLD -> state.emit(edit.heldByResourceManager(report.getReason(), report.getOwnerMayRelease()));
            case RUNNING, SUSPENDED -> state.emit(runningEdit(edit, report, null));
            case UNKNOWN, STARTING, COMPLETED, FAILED, CANCELLED, REMOVED -> {
                // Over before Weir knew of it.
            }
        }
    }

    /** Attaches what the resource manager and the owner's own words give cause to say. */
    private static void remark(JobEdit edit, JobReport report, JobRequest request) {
        if (!report.getProblems().isEmpty() || !request.extension().messages().isEmpty()) {
            report.getProblems().forEach(edit::message);
            request.extension().messages().forEach(edit::message);
        }
    }

    /** There is no room for a job that only waits: its connector lists everything anew when there is. */
    private void omit(JobRequest request, String why) {
        String id = request.connector();
        ConnectorState connector = id == null ? null : state.domain.connectors.get(id);
        if (connector == null || connector.omittedJobs() == 0) {
            state.domain.notice(
                    Severity.ERROR,
                    "jobsomitted",
                    "rm",
                    id == null ? "" : id,
                    "job " + request.id() + " is not taken in: " + why + "; the same goes for those behind it");
        }
        if (connector != null) {
            state.domain.connectors.put(connector.id(), connector.omitting(connector.omittedJobs() + 1));
        }
    }

    private void knownJob(JobReport report, Job known, JobRequest request, long epoch) {
        boolean stale = report.getAsOfCommand() < known.commandNumber();
        JobEdit edit = known.edit().reported(request, epoch);
        remark(edit, report, request);
        switch (report.getState()) {
            case IDLE -> {
                String refusal = request.extension().refusal();
                if (refusal != null && !known.active()) {
                    edit.heldByResourceManager(refusal).message(refusal);
                } else if (known.active() && !stale) {
                    queuedAgain(report, known, request, edit);
                } else if ((known.active() || known.finished() || known.state() == JobState.HOLD) && !stale) {
                    edit.queued(report.getReason());
                }
            }
            case HOLD -> {
                boolean otherHold =
                        known.state() != JobState.HOLD || known.ownerMayRelease() != report.getOwnerMayRelease();
                if (otherHold && !stale) {
                    FailedNodes lost = lostNodes.ofRun(known);
                    edit.heldByResourceManager(report.getReason(), report.getOwnerMayRelease())
                            .failed(lost);
                }
            }
            case RUNNING, SUSPENDED -> {
                boolean requeued = stale && !known.active() && known.commandNumber() > 0;
                if (!requeued) {
                    boolean shrunk = stale && known.active() && LostNodes.isIncomplete(report, known);
                    if (!stale) {
                        lostNodes.remember(report, known);
                    }
                    runningEdit(edit, shrunk ? withNodes(report, known) : report, known);
                    if (shrunk) {
                        state.domain.askForEverything(known.request().connector());
                    }
                }
            }
            case COMPLETED, FAILED, CANCELLED, REMOVED -> {
                boolean requeued = stale && !known.active() && known.pending() == null && known.commandNumber() > 0;
                if (!requeued && !(stale && known.pending() == CommandKind.REQUEUE_JOB)) {
                    Instant end = report.getEndTime();
                    edit.finished(
                            ending(known, report),
                            end == null ? state.domain.now() : end.getEpochSecond(),
                            report.getExitCode(),
                            report.getReason());
                    if (chargesProcessorTime() && report.getUsedCpuSeconds() != null) {
                        edit.used(report.getUsedCpuSeconds(), known.usedMemoryMb());
                    }
                }
            }
            case UNKNOWN, STARTING -> {
                // Refused by the check.
            }
        }
        emitIfDifferent(known, edit);
    }

    /**
     * A job that had nodes waits again: it was put back into the queue, maybe for one of them, or it never began to run. A
     * submission time of the same job that is later than its start tells of a requeue, also where no report showed the job running.
     */
    private void queuedAgain(JobReport report, Job known, JobRequest request, JobEdit edit) {
        FailedNodes lost = lostNodes.ofRun(known);
        boolean requeued = Boolean.FALSE.equals(report.getOriginalSubmitTime()) && request.submit() >= known.start();
        if (known.unseenStart() != null
                && !requeued
                && known.pending() == null
                && lost.confirmed().isEmpty()) {
            failedStarts.neverSeen(known, edit, report.getReason());
        } else {
            edit.queued(report.getReason());
        }
        edit.failed(lost);
    }

    /** Says whether jobs are charged for what they used, of which their resource manager has the last word. */
    private boolean chargesProcessorTime() {
        ChargeSettings charging = state.domain.policy.charging();
        return charging.on() && charging.policy().used();
    }

    /** A job cancelled because its policy lets it fail with its node has failed. */
    private static JobState ending(Job known, JobReport report) {
        return report.getState() == JobState.CANCELLED && known.failedNodes().answeredBy(FailureAction.FAIL)
                ? JobState.FAILED
                : report.getState();
    }

    private void emitIfDifferent(Job known, JobEdit edit) {
        if (edit.differs(known)) {
            state.emit(edit);
        } else {
            Job next = edit.done();
            boolean seen = known.unseenStart() != null && next.unseenStart() == null;
            boolean moved = !Objects.equals(known.scriptNode(), next.scriptNode());
            if (known.reportedEpoch() != next.reportedEpoch() || seen || moved) {
                state.store(next);
            }
        }
    }

    private JobEdit runningEdit(JobEdit edit, JobReport report, @Nullable Job known) {
        Instant start = report.getStartTime();
        long since = start != null
                ? start.getEpochSecond()
                : known != null && known.active() ? known.start() : state.domain.now();
        List<NodeAllocation> reported = report.getAllocation();
        List<NodeAllocation> allocation =
                known != null && sameNodes(known.allocation(), reported) ? known.allocation() : List.copyOf(reported);
        if (known == null || allocation != known.allocation()) {
            edit.placed(List.of());
        }
        return edit.running(report.getState(), since, allocation)
                .suspension(state.domain.now())
                .scriptNode(report.getScriptNode())
                .procsReleased(report.getProcsReleased())
                .failed(known == null || !known.active() ? FailedNodes.NONE : LostNodes.ofAllocation(known, allocation))
                .used(report.getUsedCpuSeconds(), report.getUsedMemoryMb());
    }

    private static JobReport withNodes(JobReport report, Job known) {
        return JobReport.newBuilder(report).setAllocation(known.allocation()).build();
    }

    private static boolean sameNodes(List<NodeAllocation> a, List<NodeAllocation> b) {
        if (a.size() != b.size()) {
            return false;
        }
        if (a.equals(b)) {
            return true;
        }
        Comparator<NodeAllocation> byNode = Comparator.comparing(NodeAllocation::getNodeId);
        List<NodeAllocation> sortedA = new ArrayList<>(a);
        List<NodeAllocation> sortedB = new ArrayList<>(b);
        sortedA.sort(byNode);
        sortedB.sort(byNode);
        return sortedA.equals(sortedB);
    }
}
