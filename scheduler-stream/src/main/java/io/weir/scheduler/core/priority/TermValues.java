package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.policy.job.PrioritySettings;
import io.weir.scheduler.core.policy.job.QosConfig;
import java.util.function.ToLongFunction;

/** What the terms of a priority are worth for a job, before their weights. Values are in millionths. */
final class TermValues {
    private static final long MINUTE = 60;

    private final PrioritySettings settings;
    private final CredentialPolicy credentials;
    private final ClusterCapacity capacity;
    private final FairshareLedger ledger;
    private final long queueTimeCap;
    private final long xfactorCap;
    private final long userCap;

    TermValues(
            PrioritySettings settings, CredentialPolicy credentials, ClusterCapacity capacity, FairshareLedger ledger) {
        this.settings = settings;
        this.credentials = credentials;
        this.capacity = capacity;
        this.ledger = ledger;
        queueTimeCap = Micros.of(settings.queueTimeCap());
        xfactorCap = Micros.of(settings.xfactorCap());
        userCap = Micros.of(settings.userCap());
    }

    /** Returns what {@code seconds} in the queue come to, up to the cap. */
    long queueTime(long weight, long seconds) {
        return queueTimeCap > 0 && Micros.of(1, seconds, MINUTE) > queueTimeCap
                ? Micros.times(weight, queueTimeCap)
                : Micros.of(weight, seconds, MINUTE);
    }

    /** Returns the wallclock limit that counts for the expansion factor. */
    long length(JobRequest request) {
        return Math.max(1, Math.max(settings.xfactorLeastSeconds(), request.walltimeSeconds()));
    }

    /** Returns what the expansion factor of a job of {@code length} comes to after {@code seconds}, up to the cap. */
    long xfactor(long weight, long seconds, long length) {
        return xfactorCap > 0 && Micros.of(1, length + seconds, length) > xfactorCap
                ? Micros.times(weight, xfactorCap)
                : Micros.of(weight, length + seconds, length);
    }

    /** Returns the value of {@code term} for {@code job} at {@code now}, before its weight. */
    long of(PriorityTerm term, Job job, QosConfig qos, long now) {
        JobRequest request = job.request();
        return switch (term) {
            case USER -> priority(CredentialKind.USER, job);
            case GROUP -> priority(CredentialKind.GROUP, job);
            case ACCOUNT -> priority(CredentialKind.ACCOUNT, job);
            case QOS -> priority(CredentialKind.QOS, job);
            case CLASS -> priority(CredentialKind.CLASS, job);
            case FS_USER -> share(CredentialKind.USER, job, now);
            case FS_GROUP -> share(CredentialKind.GROUP, job, now);
            case FS_ACCOUNT -> share(CredentialKind.ACCOUNT, job, now);
            case FS_QOS -> share(CredentialKind.QOS, job, now);
            case FS_CLASS -> share(CredentialKind.CLASS, job, now);
            case NODES -> Micros.ONE * nodes(request);
            case PROCS -> Micros.ONE * request.procs();
            case MEMORY -> Micros.of(1, total(request, Requirement::memoryMb), 1);
            case SWAP ->
                Micros.of(1, total(request, r -> r.tasks() * r.resources().swapMb()), 1);
            case DISK ->
                Micros.of(1, total(request, r -> r.tasks() * r.resources().diskMb()), 1);
            case PROC_SECONDS -> Micros.of(request.procs(), request.walltimeSeconds(), 1);
            case PROC_EQUIVALENTS -> capacity.processorEquivalents(request);
            case WALLTIME -> Micros.of(1, request.walltimeSeconds(), 1);
            case QUEUE_TIME -> queueTime(1, job.effectiveQueueSeconds(settings.accrual(), now));
            case XFACTOR -> xfactor(1, job.effectiveQueueSeconds(settings.accrual(), now), length(request));
            case BYPASS -> Micros.ONE * job.bypassCount();
            case USER_PRIORITY -> userPriority(request);
            case TARGET_QUEUE_TIME -> queueTimeTarget(job, qos, now);
            case TARGET_XFACTOR -> xfactorTarget(job, qos, now);
            case CONSUMED ->
                job.start() == Job.NONE || !job.active()
                        ? 0
                        : Micros.of(job.dedicatedProcs(), Math.max(0, now - job.start()), 1);
        };
    }

    private long userPriority(JobRequest request) {
        long given = Micros.ONE * request.options().userPriority();
        return userCap > 0 ? Math.max(-userCap, Math.min(userCap, given)) : given;
    }

    private long queueTimeTarget(Job job, QosConfig qos, long now) {
        Long target = qos.queueTimeTargetSeconds();
        return target == null || target <= 0
                ? 0
                : TargetCurve.of(job.effectiveQueueSeconds(settings.accrual(), now), target);
    }

    /** The cap of the expansion factor is one of its term; the target is reached all the same. */
    private long xfactorTarget(Job job, QosConfig qos, long now) {
        Double target = qos.xfactorTarget();
        if (target == null || target <= 0) {
            return 0;
        }
        long length = length(job.request());
        long reached = Micros.of(1, length + job.effectiveQueueSeconds(settings.accrual(), now), length);
        return TargetCurve.of(reached, Micros.of(target));
    }

    private long priority(CredentialKind kind, Job job) {
        return Micros.of(1, credentials.priority(kind, kind.of(job)), 1);
    }

    private long share(CredentialKind kind, Job job, long now) {
        String name = kind.of(job);
        FairshareTarget target = credentials.target(kind, name);
        return name == null || target == null ? 0 : ledger.difference(target, kind, name, now);
    }

    /** Returns the nodes a job asks for, or needs at least. */
    private static long nodes(JobRequest request) {
        long nodes = 0;
        for (Requirement requirement : request.requirements()) {
            Integer asked = requirement.nodes();
            Integer perNode = requirement.tasksPerNode();
            int least = asked != null
                    ? asked
                    : perNode != null && perNode > 0 ? (requirement.tasks() + perNode - 1) / perNode : 1;
            nodes += Math.max(least, requirement.demands().requiredHosts().size());
        }
        return Math.max(nodes, request.options().hosts().size());
    }

    private static long total(JobRequest request, ToLongFunction<Requirement> each) {
        long sum = 0;
        for (Requirement requirement : request.requirements()) {
            sum += each.applyAsLong(requirement);
        }
        return sum;
    }
}
