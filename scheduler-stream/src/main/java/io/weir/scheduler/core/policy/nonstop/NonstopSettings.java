package io.weir.scheduler.core.policy.nonstop;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code nonstop.conf}. Immutable.
 *
 * @param controlAddress ControlAddr: host of the service
 * @param backupAddress BackupAddr: host that clients try after it; null for none
 * @param port Port
 * @param debug Debug: extra logging level
 * @param hotSpares HotSpareCount: spares to keep by partition or class, each more than 0
 * @param mostSpares MaxSpareNodeCount: spares one job may take; 0 for any number
 * @param delayMinutes TimeLimitDelay: most minutes for which a job that waits for a node is extended
 * @param extendMinutes TimeLimitExtend: minutes for each replaced node
 * @param dropMinutes TimeLimitDrop: minutes for each node that is given up
 * @param drainers UserDrainAllow and UserDrainDeny: who may drain nodes
 * @param readTimeoutMillis ReadTimeout
 * @param writeTimeoutMillis WriteTimeout
 */
public record NonstopSettings(
        String controlAddress,
        @Nullable String backupAddress,
        int port,
        int debug,
        SortedMap<String, Integer> hotSpares,
        int mostSpares,
        int delayMinutes,
        int extendMinutes,
        int dropMinutes,
        DrainAccess drainers,
        int readTimeoutMillis,
        int writeTimeoutMillis) {
    public NonstopSettings {
        hotSpares = Collections.unmodifiableSortedMap(new TreeMap<>(hotSpares));
    }
}
