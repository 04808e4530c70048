package io.weir.scheduler.core.job;

import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.job.extension.JobFlags;
import io.weir.scheduler.core.policy.language.value.AbsoluteTime;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobStatus;
import io.weir.schemas.TaskRequirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for.
 *
 * @param id unique in the cluster
 * @param connector connector that reports it; null for a foreign producer
 * @param queueSequence numeric order of submission
 * @param credentials names attached to it
 * @param requirements groups of like tasks, at least one, all started together in one partition
 * @param options what it asks for besides resources
 * @param extension what its extension text says, which has been put in its place everywhere else
 * @param walltimeSeconds wallclock limit in seconds, at least 1
 * @param submit queue time, epoch seconds
 */
public record JobRequest(
        String id,
        @Nullable String connector,
        long queueSequence,
        JobCredentials credentials,
        List<Requirement> requirements,
        JobOptions options,
        JobExtension extension,
        long walltimeSeconds,
        long submit) {
    /** Wallclock limit of a job that gives none, seconds. */
    public static final long DEFAULT_WALLTIME_SECONDS = 864_000;

    /** First come, first served: queue time, then sequence, then id. */
    public static final Comparator<JobRequest> QUEUE_ORDER = (a, b) -> {
        int order = Long.compare(a.submit, b.submit);
        if (order == 0) {
            order = Long.compare(a.queueSequence, b.queueSequence);
        }
        return order != 0 ? order : a.id.compareTo(b.id);
    };

    /** Reads the request out of a report that came through {@code connector}. */
    public static JobRequest from(JobReport report, @Nullable String connector) {
        Long walltime = report.getWalltimeSeconds();
        JobFlags flags = JobFlags.of(report.getFlags());
        return ExtendedRequest.of(new JobRequest(
                report.getJobId(),
                connector,
                report.getQueueSequence(),
                new JobCredentials(
                        report.getName(),
                        report.getUser(),
                        report.getGroup(),
                        report.getAccount(),
                        report.getJobClass(),
                        report.getQos()),
                exact(requirements(report.getRequirements(), report.getTasks(), report.getProcsPerTask())),
                new JobOptions(
                        report.getPartitions(),
                        report.getHosts(),
                        report.getNodeAccess(),
                        report.getApplication(),
                        report.getExtension(),
                        report.getPreference(),
                        report.getReservation() == null ? flags.reservation() : report.getReservation(),
                        flags.others(),
                        seconds(report.getStartAfter()),
                        report.getCpuLimitSeconds(),
                        report.getExcludedHosts(),
                        report.getOtherClasses(),
                        report.getExcludedForNow(),
                        report.getUserPriority()),
                JobExtension.parse(report.getExtension()),
                walltime == null ? DEFAULT_WALLTIME_SECONDS : walltime,
                report.getSubmitTime().getEpochSecond()));
    }

    /** Reads the request out of a stored job. */
    static JobRequest from(JobStatus status) {
        return new JobRequest(
                status.getJobId(),
                status.getConnector(),
                status.getQueueSequence(),
                new JobCredentials(
                        status.getName(),
                        status.getUser(),
                        status.getGroup(),
                        status.getAccount(),
                        status.getJobClass(),
                        status.getQos()),
                requirements(status.getRequirements(), status.getTasks(), status.getProcsPerTask()),
                new JobOptions(
                        status.getPartitions(),
                        status.getHosts(),
                        status.getNodeAccess(),
                        status.getApplication(),
                        status.getExtension(),
                        status.getPreference(),
                        status.getReservation(),
                        status.getFlags(),
                        seconds(status.getStartAfter()),
                        status.getCpuLimitSeconds(),
                        status.getExcludedHosts(),
                        status.getOtherClasses(),
                        status.getExcludedForNow(),
                        status.getUserPriority()),
                JobExtension.parse(status.getExtension()),
                status.getWalltimeSeconds(),
                status.getSubmitTime().getEpochSecond());
    }

    /** Returns the same request with another wallclock limit. */
    public JobRequest withWalltime(long seconds) {
        return new JobRequest(
                id, connector, queueSequence, credentials, requirements, options, extension, seconds, submit);
    }

    /**
     * Returns whether it is for the job to have as many nodes, from the fewest to the most it asks for, as are free when it
     * starts.
     */
    public boolean moldable() {
        return requirements.size() == 1 && first().nodeCount().moldable();
    }

    /** Returns this moldable request as it is on {@code nodes} nodes; null when no job may have that many tasks. */
    @Nullable
    JobRequest molded(int nodes) {
        Requirement molded = first().molded(nodes);
        return molded == null
                ? null
                : new JobRequest(
                        id,
                        connector,
                        queueSequence,
                        credentials,
                        List.of(molded),
                        options,
                        extension,
                        walltimeSeconds,
                        submit);
    }

    /** Returns the same request for the nodes {@code hosts}, all of its tasks; none for any. */
    JobRequest withHosts(List<String> hosts) {
        JobOptions changed = new JobOptions(
                options.partitions(),
                hosts,
                options.nodeAccess(),
                options.application(),
                options.extension(),
                options.preference(),
                options.reservation(),
                options.flags(),
                options.startAfter(),
                options.cpuLimitSeconds(),
                options.excludedHosts(),
                options.otherClasses(),
                options.excludedForNow(),
                options.userPriority());
        return new JobRequest(
                id,
                connector,
                queueSequence,
                credentials,
                requirements.stream().map(Requirement::withoutHosts).toList(),
                changed,
                extension,
                walltimeSeconds,
                submit);
    }

    /** Returns the same request under other names. */
    public JobRequest withLabels(JobCredentials changed) {
        return new JobRequest(
                id, connector, queueSequence, changed, requirements, options, extension, walltimeSeconds, submit);
    }

    /** Returns the same request with another extension. */
    JobRequest withExtension(JobExtension changed) {
        return new JobRequest(
                id, connector, queueSequence, credentials, requirements, options, changed, walltimeSeconds, submit);
    }

    /** Returns by when the job has to be over, epoch seconds; {@link Job#NONE} when it names no deadline. */
    public long deadline() {
        AbsoluteTime named = extension.deadline();
        return named == null ? Job.NONE : named.resolve(submit);
    }

    /** Returns the first requirement, often the only one. */
    public Requirement first() {
        return requirements.get(0);
    }

    /** Returns the processors of each task of the first requirement. */
    public int procsPerTask() {
        return first().resources().procs();
    }

    /** Returns the processors of all tasks. */
    public int procs() {
        int sum = 0;
        for (Requirement requirement : requirements) {
            sum += requirement.procs();
        }
        return sum;
    }

    /** Returns the nodes that the tasks of {@code requirement} ask for by name; empty for any. */
    public List<String> hosts(Requirement requirement) {
        List<String> own = requirement.demands().hosts();
        return own.isEmpty() ? options.hosts() : own;
    }

    /**
     * Returns the class in which the tasks of {@code requirement} count on a node: their own, or that of the job where they
     * have none of their own; null for none, and where they may use several of their own.
     */
    public @Nullable String jobClass(Requirement requirement) {
        List<String> own = requirement.demands().classes();
        if (own.isEmpty()) {
            return credentials.jobClass();
        }
        return own.size() == 1 ? own.get(0) : null;
    }

    /** Returns whether {@code other} asks for the same, apart from what is left out for now. */
    boolean asksAs(JobRequest other) {
        return walltimeSeconds == other.walltimeSeconds
                && credentials.equals(other.credentials)
                && requirements.equals(other.requirements)
                && options.asksAs(other.options);
    }

    /** Returns whether any processors of any nodes will do. */
    public boolean fungible() {
        return requirements.size() == 1
                && first().fungible()
                && options.partitions().isEmpty()
                && options.hosts().isEmpty()
                && options.excludedHosts().isEmpty()
                && options.otherClasses().isEmpty()
                && options.nodeAccess() == null
                && options.reservation() == null
                && takesAnyProcessors(extension.place().allocation())
                && extension.place().nodeSet().equals(NodeSetRequest.NOTHING);
    }

    /** Returns the requirements as the records that stores and topics hold. */
    List<TaskRequirement> requirementRecords() {
        List<TaskRequirement> records = new ArrayList<>(requirements.size());
        for (Requirement requirement : requirements) {
            records.add(requirement.toRecord());
        }
        return records;
    }

    private static boolean takesAnyProcessors(@Nullable AllocationChoice wished) {
        return wished == null || wished.kind().takesAnyProcessors();
    }

    private static List<Requirement> requirements(List<TaskRequirement> records, int tasks, int procsPerTask) {
        return records.isEmpty()
                ? List.of(Requirement.ofProcs(tasks, procsPerTask))
                : records.stream().map(Requirement::from).toList();
    }

    private static List<Requirement> exact(List<Requirement> requirements) {
        return requirements.size() == 1
                ? List.of(requirements.get(0).withExactTasks().withMoldedTasks())
                : requirements.stream().map(Requirement::withExactTasks).toList();
    }

    private static long seconds(@Nullable Instant instant) {
        return instant == null ? Job.NONE : instant.getEpochSecond();
    }
}
