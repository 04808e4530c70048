package io.weir.scheduler.core.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for besides resources; null or empty means not given. Times are epoch seconds.
 *
 * @param partitions partitions it may use, sorted; empty for any
 * @param hosts nodes it asks for by name; empty for any
 * @param nodeAccess node access policy asked for
 * @param application application it runs
 * @param extension job extension text as submitted
 * @param preference preference expression in the resource manager's words
 * @param reservation reservation it asks for; empty text for any it may use
 * @param flags flags in upper case, sorted
 * @param startAfter not to be started before; {@link Job#NONE} for at once
 * @param cpuLimitSeconds processor seconds it may consume; null for no limit
 * @param excludedHosts nodes it must not run on
 * @param otherClasses classes besides its own that it may run in
 * @param excludedForNow whether some of {@code excludedHosts} are left out for now only
 * @param userPriority how far its owner puts it before others, or by a negative number behind them; 0 for neither
 */
public record JobOptions(
        List<String> partitions,
        List<String> hosts,
        @Nullable String nodeAccess,
        @Nullable String application,
        @Nullable String extension,
        @Nullable String preference,
        @Nullable String reservation,
        List<String> flags,
        long startAfter,
        @Nullable Long cpuLimitSeconds,
        List<String> excludedHosts,
        List<String> otherClasses,
        boolean excludedForNow,
        int userPriority) {
    /** Nothing besides resources. */
    public static final JobOptions NONE =
            new JobOptions(List.of(), List.of(), null, null, null, null, null, List.of(), Job.NONE, null);

    /** Creates options that exclude no node, name one class only and have no priority of their owner. */
    public JobOptions(
            List<String> partitions,
            List<String> hosts,
            @Nullable String nodeAccess,
            @Nullable String application,
            @Nullable String extension,
            @Nullable String preference,
            @Nullable String reservation,
            List<String> flags,
            long startAfter,
            @Nullable Long cpuLimitSeconds) {
        this(
                partitions,
                hosts,
                nodeAccess,
                application,
                extension,
                preference,
                reservation,
                flags,
                startAfter,
                cpuLimitSeconds,
                List.of(),
                List.of(),
                false,
                0);
    }

    /** Returns whether {@code other} is the same; where either leaves out nodes for now, whatever nodes are left out. */
    boolean asksAs(JobOptions other) {
        boolean forNow = excludedForNow || other.excludedForNow;
        return forNow ? anywhere().equals(other.anywhere()) : equals(other);
    }

    private JobOptions anywhere() {
        return new JobOptions(
                partitions,
                hosts,
                nodeAccess,
                application,
                extension,
                preference,
                reservation,
                flags,
                startAfter,
                cpuLimitSeconds,
                List.of(),
                otherClasses,
                false,
                userPriority);
    }

    public JobOptions {
        partitions = List.copyOf(partitions);
        hosts = List.copyOf(hosts);
        flags = List.copyOf(flags);
        excludedHosts = List.copyOf(excludedHosts);
        otherClasses = List.copyOf(otherClasses);
    }
}
