/**
 * What ranks waiting jobs: priority and its terms, fairshare, access to qualities of service. What becomes of the order
 * is decided in backfill.
 */
@NullMarked
package io.weir.scheduler.core.priority;

import org.jspecify.annotations.NullMarked;
