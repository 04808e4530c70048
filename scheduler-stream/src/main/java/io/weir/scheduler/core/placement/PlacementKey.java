package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.TaskResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What decides which nodes could ever run a task of a requirement. Jobs that ask for the same share one answer.
 *
 * @param resources what a task takes
 * @param demands what its node must be like
 * @param tasksTogether tasks a node has to hold at least
 * @param exactProcs processors a node has to have exactly; 0 for any
 * @param jobClass class of the job, or the first that the requirement has of its own
 * @param partitions partitions the job may use; empty for any
 * @param hosts nodes asked for by name; empty for any
 * @param excludedHosts nodes on which the job must not run
 * @param otherClasses classes besides {@code jobClass} whose nodes will do
 */
record PlacementKey(
        TaskResources resources,
        NodeDemands demands,
        int tasksTogether,
        int exactProcs,
        @Nullable String jobClass,
        List<String> partitions,
        List<String> hosts,
        List<String> excludedHosts,
        List<String> otherClasses) {
    /** Returns what decides about a node that is looked at by itself. */
    PlacementKey ofOneNode() {
        return demands.requiredHosts().isEmpty()
                ? this
                : new PlacementKey(
                        resources,
                        demands.withoutRequiredHosts(),
                        tasksTogether,
                        exactProcs,
                        jobClass,
                        partitions,
                        hosts,
                        excludedHosts,
                        otherClasses);
    }
}
