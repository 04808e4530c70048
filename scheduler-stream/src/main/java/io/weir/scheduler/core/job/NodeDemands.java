package io.weir.scheduler.core.job;

import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node must be like to run a task.
 *
 * @param features features it must have, sorted
 * @param arch architecture; null for any
 * @param os operating system; null for any
 * @param network network interface; null for any
 * @param conditions conditions on configured amounts, such as {@code memory>=2048}
 * @param classes classes whose nodes will do in place of those of the job, in the order of preference; empty for those of the
 *     job
 * @param hosts nodes asked for by name in place of those of the job; empty for those of the job
 * @param excludedHosts nodes that will not do, besides those of the job
 * @param apart whether it must have no tasks of other requirements of the same job
 * @param requiredHosts nodes each of which has to get a task, whichever others do; each once, none where no node has to
 */
public record NodeDemands(
        List<String> features,
        @Nullable String arch,
        @Nullable String os,
        @Nullable String network,
        List<String> conditions,
        List<String> classes,
        List<String> hosts,
        List<String> excludedHosts,
        boolean apart,
        List<String> requiredHosts) {
    /** Any node will do. */
    public static final NodeDemands NONE = new NodeDemands(List.of(), null, null, null, List.of());

    public NodeDemands {
        features = List.copyOf(features);
        conditions = List.copyOf(conditions);
        classes = List.copyOf(classes);
        hosts = List.copyOf(hosts);
        excludedHosts = List.copyOf(excludedHosts);
        requiredHosts = requiredHosts.isEmpty() ? List.of() : List.copyOf(new LinkedHashSet<>(requiredHosts));
    }

    /** Creates demands by which no node has to get a task. */
    public NodeDemands(
            List<String> features,
            @Nullable String arch,
            @Nullable String os,
            @Nullable String network,
            List<String> conditions,
            List<String> classes,
            List<String> hosts,
            List<String> excludedHosts,
            boolean apart) {
        this(features, arch, os, network, conditions, classes, hosts, excludedHosts, apart, List.of());
    }

    /** Creates demands that leave classes and names of nodes to the job. */
    public NodeDemands(
            List<String> features,
            @Nullable String arch,
            @Nullable String os,
            @Nullable String network,
            List<String> conditions) {
        this(features, arch, os, network, conditions, List.of(), List.of(), List.of(), false);
    }

    /** Returns these demands for the nodes that the job asks for, none of which has to get a task. */
    NodeDemands withoutHosts() {
        return hosts.isEmpty() && requiredHosts.isEmpty()
                ? this
                : new NodeDemands(features, arch, os, network, conditions, classes, List.of(), excludedHosts, apart);
    }

    /** Returns these demands on a node that is looked at by itself. */
    public NodeDemands withoutRequiredHosts() {
        return requiredHosts.isEmpty()
                ? this
                : new NodeDemands(features, arch, os, network, conditions, classes, hosts, excludedHosts, apart);
    }
}
