package io.weir.scheduler.reduction;

import io.weir.scheduler.core.event.MetricConditions;

/** Where the conditions of each cluster come from. Thread-safe. */
public interface ConditionSource {
    /** Returns the conditions that the last configuration of {@code cluster} states; the same object until there is another. */
    MetricConditions of(String cluster);
}
