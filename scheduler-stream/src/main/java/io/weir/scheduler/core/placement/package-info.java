/**
 * Names the nodes a job starts on. When it starts is decided in backfill.
 */
@NullMarked
package io.weir.scheduler.core.placement;

import org.jspecify.annotations.NullMarked;
