package io.weir.scheduler.core.policy.node;

import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import org.jspecify.annotations.Nullable;

/**
 * PARCFG[name]; null means not given.
 *
 * @param allocation NODEALLOCATIONPOLICY
 * @param reservations RESERVATIONPOLICY
 * @param access NODEACCESSPOLICY
 * @param sharedMemory FLAGS=SHAREDMEM
 * @param failure JOBACTIONONNODEFAILURE
 */
public record PartitionConfig(
        @Nullable AllocationChoice allocation,
        @Nullable ReservationPolicy reservations,
        @Nullable NodeAccessPolicy access,
        boolean sharedMemory,
        @Nullable NodeFailurePolicy failure) {
    /** Says nothing. */
    public static final PartitionConfig NONE = new PartitionConfig(null, null, null, false, null);
}
