package io.weir.scheduler.core.policy.node;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * NODECFG[id], or NODECFG[DEFAULT]; null means not given. Lists are added to what the resource manager reports.
 *
 * @param access ACCESS
 * @param arch ARCH
 * @param chargeRate CHARGERATE
 * @param classes CLASSES; empty for not given
 * @param comment COMMENT
 * @param features FEATURES
 * @param gres GRES by name
 * @param maxJobs MAXJOB
 * @param maxJobsPerUser MAXJOBPERUSER
 * @param maxLoad MAXLOAD
 * @param maxPe MAXPE
 * @param maxProcs MAXPROC
 * @param maxProcsPerUser MAXPROCPERUSER
 * @param networks NETWORK
 * @param nodeType NODETYPE
 * @param availability NODEAVAILABILITYPOLICY
 * @param index NODEINDEX
 * @param os OS
 * @param partition PARTITION
 * @param priority PRIORITY
 * @param priorityFunction PRIORITYF, as written and found legal
 * @param procSpeedMhz PROCSPEED
 * @param rack RACK
 * @param slot SLOT
 * @param diskMb RCDISK
 * @param memoryMb RCMEM
 * @param procs RCPROC
 * @param swapMb RCSWAP
 * @param speed SPEED
 * @param variables VARIABLE by name
 * @param profiling ENABLEPROFILING
 */
public record NodeConfig(
        @Nullable NodeAccessPolicy access,
        @Nullable String arch,
        @Nullable Double chargeRate,
        List<String> classes,
        @Nullable String comment,
        List<String> features,
        SortedMap<String, Long> gres,
        @Nullable Integer maxJobs,
        @Nullable Integer maxJobsPerUser,
        @Nullable Double maxLoad,
        @Nullable Double maxPe,
        @Nullable Integer maxProcs,
        @Nullable Integer maxProcsPerUser,
        List<String> networks,
        @Nullable String nodeType,
        @Nullable AvailabilityOverride availability,
        @Nullable Integer index,
        @Nullable String os,
        @Nullable String partition,
        @Nullable Long priority,
        @Nullable String priorityFunction,
        @Nullable Integer procSpeedMhz,
        @Nullable String rack,
        @Nullable String slot,
        @Nullable Long diskMb,
        @Nullable Long memoryMb,
        @Nullable Integer procs,
        @Nullable Long swapMb,
        @Nullable Double speed,
        SortedMap<String, String> variables,
        @Nullable Boolean profiling) {
    /** Says nothing. */
    public static final NodeConfig NONE = new NodeConfig(
            null,
            null,
            null,
            List.of(),
            null,
            List.of(),
            Collections.emptySortedMap(),
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Collections.emptySortedMap(),
            null);

    public NodeConfig {
        classes = List.copyOf(classes);
        features = List.copyOf(features);
        networks = List.copyOf(networks);
        gres = Collections.unmodifiableSortedMap(new TreeMap<>(gres));
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
    }

    /** Returns whether it caps what jobs may have of the node besides its amounts. */
    public boolean capped() {
        return maxJobs != null
                || maxJobsPerUser != null
                || maxProcs != null
                || maxProcsPerUser != null
                || maxPe != null;
    }

    /**
     * NODEAVAILABILITYPOLICY of one node.
     *
     * @param byDefault entry without a resource; null for none
     * @param byResource entries by resource
     */
    public record AvailabilityOverride(
            @Nullable AvailabilityMeasure byDefault, SortedMap<ResourceKind, AvailabilityMeasure> byResource) {
        public AvailabilityOverride {
            byResource = Collections.unmodifiableSortedMap(new TreeMap<>(byResource));
        }
    }
}
