package io.weir.scheduler.core.node;

import org.jspecify.annotations.Nullable;

/**
 * What a resource manager measures on a node; null means not measured.
 *
 * @param load one-minute load average
 * @param availableProcs processors available
 * @param availableMemoryMb memory available in MB
 * @param availableSwapMb swap available in MB
 * @param availableDiskMb local disk available in MB
 */
public record NodeUsage(
        @Nullable Double load,
        @Nullable Integer availableProcs,
        @Nullable Long availableMemoryMb,
        @Nullable Long availableSwapMb,
        @Nullable Long availableDiskMb) {}
