package io.weir.scheduler.core.trigger;

/**
 * Where a trigger stands.
 *
 * <pre>
 * INACTIVE ──event──► ARMED ──due, Requires hold──► ACTIVE ──┬─► SUCCESSFUL ──may fire again──► INACTIVE
 *                       ▲                                    └─► FAILURE
 *                       └──────────── MaxRetry ──────────────────┘
 * </pre>
 */
public enum TriggerState {
    INACTIVE,
    ARMED,
    ACTIVE,
    SUCCESSFUL,
    FAILURE
}
