package io.weir.scheduler.core.job.extension;

import io.weir.scheduler.core.policy.language.value.AbsoluteTime;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job says in its extension text, {@code key=value,key=value} or {@code KEY:value;KEY:value}, taken apart. Null or
 * empty means not said. What cannot be used becomes a message for the job's owner; a node set that cannot be read is
 * reason to refuse the job. Immutable.
 *
 * @param size how much it asks for
 * @param task what each task takes and what its node must be like
 * @param place how its nodes are chosen
 * @param labels what it belongs to
 * @param failure how it bears failures
 * @param flags flags in upper case, sorted
 * @param deadline deadline=, when it has to be over; counts from submission
 * @param triggers triggers as written
 * @param messages what the owner is told
 * @param refusal why the job is refused; null when it is not
 */
public record JobExtension(
        Size size,
        Task task,
        Place place,
        Labels labels,
        Failure failure,
        List<String> flags,
        @Nullable AbsoluteTime deadline,
        List<String> triggers,
        List<String> messages,
        @Nullable String refusal) {
    /** Says nothing. */
    public static final JobExtension NONE = new JobExtension(
            new Size(List.of(), null, null, false, null, null),
            new Task(null, null, null, Collections.emptySortedMap(), null, null, null, List.of()),
            new Place(List.of(), List.of(), List.of(), null, null, null, NodeSetRequest.NOTHING, null, null),
            new Labels(null, null, null),
            new Failure(null, false, null, null),
            List.of(),
            null,
            List.of(),
            List.of(),
            null);

    public JobExtension {
        flags = List.copyOf(flags);
        triggers = List.copyOf(triggers);
        messages = List.copyOf(messages);
    }

    /** Returns whether it says nothing. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isNothing() {
        return this == NONE || equals(NONE);
    }

    /** Reads an extension text; null says nothing. Never fails, but leaves messages. */
    public static JobExtension parse(@Nullable String text) {
        return text == null || text.isBlank() ? NONE : new JobExtensionReader().read(text);
    }

    /**
     * How much.
     *
     * @param nodes nodes=
     * @param procs procs=, processors of all tasks
     * @param tasksPerNode tpn=
     * @param tasksPerNodeAtLeast tpn=n+
     * @param walltimeSeconds walltime=
     * @param cpuSeconds cput=, processor seconds
     */
    public record Size(
            List<NodesClause> nodes,
            @Nullable Integer procs,
            @Nullable Integer tasksPerNode,
            boolean tasksPerNodeAtLeast,
            @Nullable Long walltimeSeconds,
            @Nullable Long cpuSeconds) {
        public Size {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Each task and its node; amounts in MB.
     *
     * @param memoryMb mem= or dmem=
     * @param swapMb swap=
     * @param diskMb disk=
     * @param gres gres= by name
     * @param arch arch=
     * @param os os=
     * @param network network=
     * @param features feature=, sorted
     */
    public record Task(
            @Nullable Long memoryMb,
            @Nullable Long swapMb,
            @Nullable Long diskMb,
            SortedMap<String, Long> gres,
            @Nullable String arch,
            @Nullable String os,
            @Nullable String network,
            List<String> features) {
        public Task {
            gres = Collections.unmodifiableSortedMap(new TreeMap<>(gres));
            features = List.copyOf(features);
        }
    }

    /**
     * Where.
     *
     * @param partitions partition=, sorted
     * @param hosts hostlist=, the only nodes it may use
     * @param requiredHosts hostlist=...*, nodes that it has to use besides any others
     * @param access naccesspolicy=
     * @param allocation nallocpolicy=
     * @param distribution taskdist=
     * @param nodeSet nodeset= and its kin
     * @param preference pref=, as an expression
     * @param reservation advres=; empty for any it may use
     */
    public record Place(
            List<String> partitions,
            List<String> hosts,
            List<String> requiredHosts,
            @Nullable NodeAccessPolicy access,
            @Nullable AllocationChoice allocation,
            @Nullable TaskDistribution distribution,
            NodeSetRequest nodeSet,
            @Nullable String preference,
            @Nullable String reservation) {
        public Place {
            partitions = List.copyOf(partitions);
            hosts = List.copyOf(hosts);
            requiredHosts = List.copyOf(requiredHosts);
        }
    }

    /**
     * Names.
     *
     * @param jobClass class= or queue=
     * @param qos qos=
     * @param application application=
     */
    public record Labels(
            @Nullable String jobClass,
            @Nullable String qos,
            @Nullable String application) {}

    /**
     * Failures.
     *
     * @param policy resfailpolicy=, in upper case, with its asterisk
     * @param noKill nokill
     * @param restartable restartable=
     * @param checkpointable checkpointable=
     */
    public record Failure(
            @Nullable String policy,
            boolean noKill,
            @Nullable Boolean restartable,
            @Nullable Boolean checkpointable) {}
}
