/**
 * NODEALLOCATIONPOLICY: one class for each policy behind {@link NodeAllocationPolicy}, and what they share.
 * {@link NodeAllocationPolicies} knows them all. Jobs and administrative reservations are placed by the same classes.
 */
@NullMarked
package io.weir.scheduler.core.placement.policy;

import org.jspecify.annotations.NullMarked;
