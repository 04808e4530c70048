/**
 * Configuration of the scheduler itself: mode, administrators, backfill. Values only; they are read in
 * {@code core.policy}.
 */
@NullMarked
package io.weir.scheduler.core.policy.scheduler;

import org.jspecify.annotations.NullMarked;
