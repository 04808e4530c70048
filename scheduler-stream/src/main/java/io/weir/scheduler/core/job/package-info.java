/**
 * Jobs, their order and the table that holds them. What nodes they get is decided in placement and backfill.
 */
@NullMarked
package io.weir.scheduler.core.job;

import org.jspecify.annotations.NullMarked;
