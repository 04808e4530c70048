/**
 * What nodes can hold: which could ever run a requirement, what they have to give now, and the candidates for one
 * interval. The choice among candidates is made in {@code placement.policy} and {@code placement.selection}; the start
 * time is found in {@code backfill}.
 */
@NullMarked
package io.weir.scheduler.core.placement;

import org.jspecify.annotations.NullMarked;
