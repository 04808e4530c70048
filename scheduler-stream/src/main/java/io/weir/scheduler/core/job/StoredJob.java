package io.weir.scheduler.core.job;

import io.weir.scheduler.core.mark.Annotations;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A version of a job as the record that stores and topics hold. */
final class StoredJob {
    private StoredJob() {}

    /** Restores a job from its stored version. */
    static Job read(JobStatus status) {
        OperatorOverrides overrides = new OperatorOverrides(status.getOrders());
        JobEdit edit = new JobEdit(overrides.applied(JobRequest.from(status)));
        edit.overrides = overrides;
        edit.state = status.getState();
        edit.start = seconds(status.getStartTime());
        edit.end = seconds(status.getEndTime());
        edit.allocation = List.copyOf(status.getAllocation());
        edit.exitCode = status.getExitCode();
        edit.reason = status.getReason();
        edit.ownerMayRelease = status.getOwnerMayRelease();
        edit.holds = Hold.read(status.getHolds(), status.getHeld());
        edit.deferrals = status.getDeferrals();
        edit.notBefore = seconds(status.getNotBefore());
        edit.startFailures = status.getStartFailures();
        edit.refusedSince = seconds(status.getRefusedSince());
        edit.pending = status.getPendingCommand();
        edit.commandNumber = status.getCommandNumber();
        edit.monitoredStart = seconds(status.getMonitoredStart());
        edit.placements = List.copyOf(status.getPlacements());
        edit.systemPriority = status.getSystemPriority();
        edit.bypassCount = status.getBypassCount();
        edit.eligibleSince = seconds(status.getEligibleSince());
        edit.backfilled = status.getBackfilled();
        edit.messages = List.copyOf(status.getMessages());
        edit.annotations = Annotations.from(status.getMarks());
        edit.usedCpuSeconds = status.getUsedCpuSeconds();
        edit.usedMemoryMb = status.getUsedMemoryMb();
        edit.accruedSeconds = status.getAccruedSeconds();
        edit.suspendedSince = seconds(status.getSuspendedSince());
        edit.suspendedSeconds = status.getSuspendedSeconds();
        edit.scriptNode = status.getScriptNode();
        edit.procsReleased = status.getProcsReleased();
        edit.requestedQos = status.getRequestedQos();
        edit.effectiveQos = status.getEffectiveQos();
        edit.failedNodes = FailedNodes.from(status.getFailedNodes());
        edit.lastNodes = List.copyOf(status.getLastNodes());
        edit.starts = status.getStarts();
        edit.unseenStart = UnseenStart.from(status.getUnseenStart());
        edit.preemption = Preemption.from(status.getPreemption());
        edit.reportedEpoch = status.getReportedEpoch();
        edit.changedIn = status.getChangedIn();
        return new Job(edit);
    }

    /** Returns {@code job} as it is stored. */
    static JobStatus write(Job job, String cluster) {
        JobRequest request = job.request();
        JobCredentials credentials = request.credentials();
        JobOptions options = request.options();
        UnseenStart unseen = job.unseenStart();
        Preemption preemption = job.preemption();
        return new JobStatus(
                cluster,
                request.id(),
                request.connector(),
                request.queueSequence(),
                credentials.name(),
                credentials.user(),
                credentials.group(),
                credentials.account(),
                credentials.jobClass(),
                credentials.qos(),
                job.state(),
                request.first().tasks(),
                request.procsPerTask(),
                request.walltimeSeconds(),
                Instant.ofEpochSecond(request.submit()),
                instant(job.start()),
                instant(job.end()),
                job.allocation(),
                job.exitCode,
                job.reason(),
                job.held(),
                instant(job.notBefore),
                job.startFailures(),
                job.pending(),
                job.commandNumber(),
                instant(job.monitoredStart()),
                job.reportedEpoch(),
                job.changedIn(),
                request.requirementRecords(),
                options.partitions(),
                options.hosts(),
                options.nodeAccess(),
                options.application(),
                options.extension(),
                options.preference(),
                options.reservation(),
                options.flags(),
                instant(options.startAfter()),
                options.cpuLimitSeconds(),
                job.usedCpuSeconds(),
                job.usedMemoryMb(),
                job.placements(),
                job.systemPriority(),
                job.bypassCount(),
                instant(job.eligibleSince()),
                job.backfilled(),
                job.messages(),
                job.accruedSeconds(),
                job.requestedQos,
                job.qos(),
                instant(job.refusedSince()),
                Hold.names(job.holds()),
                job.deferrals(),
                job.overrides().list(),
                markRecords(job.annotations()),
                instant(job.deadline()),
                job.ownerMayRelease(),
                job.failedNodes().toRecords(),
                options.excludedHosts(),
                options.otherClasses(),
                job.lastNodes(),
                job.starts(),
                unseen == null ? null : unseen.toRecord(),
                options.excludedForNow(),
                instant(job.suspendedSince),
                job.suspendedSeconds,
                job.scriptNode(),
                job.procsReleased(),
                options.userPriority(),
                preemption == null ? null : preemption.toRecord());
    }

    private static List<NameValue> markRecords(Annotations annotations) {
        List<NameValue> records = new ArrayList<>(annotations.metricRecords());
        records.addAll(annotations.variableRecords());
        return records;
    }

    private static long seconds(@Nullable Instant instant) {
        return instant == null ? Job.NONE : instant.getEpochSecond();
    }

    private static @Nullable Instant instant(long seconds) {
        return seconds == Job.NONE ? null : Instant.ofEpochSecond(seconds);
    }
}
