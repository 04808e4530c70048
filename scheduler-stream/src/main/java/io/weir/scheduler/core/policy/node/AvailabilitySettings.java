package io.weir.scheduler.core.policy.node;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How present availability of nodes is judged.
 *
 * @param byDefault measure of a resource that has none of its own
 * @param byResource measures stated for single resources
 * @param maxLoad NODEMAXLOAD; 0 for no limit
 * @param adjustProcs NODELOADPOLICY ADJUSTPROCS: load takes processors away instead of making the node busy
 * @param busyDelaySeconds NODEBUSYSTATEDELAYTIME
 * @param downDelaySeconds NODEDOWNSTATEDELAYTIME; -1 when nodes that are down are never planned for
 * @param drainDelaySeconds NODEDRAINSTATEDELAYTIME; -1 when nodes that are drained are never planned for
 */
public record AvailabilitySettings(
        AvailabilityMeasure byDefault,
        SortedMap<ResourceKind, AvailabilityMeasure> byResource,
        double maxLoad,
        boolean adjustProcs,
        long busyDelaySeconds,
        long downDelaySeconds,
        long drainDelaySeconds) {
    /** What an empty configuration uses. */
    public static final AvailabilitySettings DEFAULT = new AvailabilitySettings(
            AvailabilityMeasure.COMBINED, Collections.emptySortedMap(), 0, false, 60, -1, 3 * 3600);

    public AvailabilitySettings {
        byResource = Collections.unmodifiableSortedMap(new TreeMap<>(byResource));
    }

    /** Returns the measure of {@code resource}. */
    public AvailabilityMeasure measure(ResourceKind resource) {
        return byResource.getOrDefault(resource, byDefault);
    }
}
