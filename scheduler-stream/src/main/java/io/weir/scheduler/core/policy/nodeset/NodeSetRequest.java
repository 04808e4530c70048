package io.weir.scheduler.core.policy.nodeset;

import org.jspecify.annotations.Nullable;

/**
 * What one job says about node sets; null where it says nothing.
 *
 * @param spec policy, attribute and list
 * @param none whether it wants none instead
 * @param optional whether it may do without a set
 * @param tolerance how far speeds within a set may differ
 * @param priority which of several usable sets is taken
 * @param plus what is done when no single set can hold it
 * @param delaySeconds how long it waits for a set; only an operator may say so
 */
public record NodeSetRequest(
        @Nullable NodeSetSpec spec,
        boolean none,
        @Nullable Boolean optional,
        @Nullable Double tolerance,
        @Nullable NodeSetPriority priority,
        @Nullable NodeSetPlus plus,
        @Nullable Long delaySeconds) {
    /** Says nothing. */
    public static final NodeSetRequest NOTHING = new NodeSetRequest(null, false, null, null, null, null, null);
}
