/**
 * Decides which waiting jobs start now and which get priority reservations. One class for each BACKFILLPOLICY
 * ({@code BackfillStrategy}) and each RESERVATIONPOLICY ({@code ReservationStrategy}), over a plan of what is free
 * ({@code core.plan}).
 *
 * <p>A decision is carried out at once, through {@link io.weir.scheduler.core.backfill.PlanActions}: the package changes
 * no job, node or reservation itself, but the tables it reads change in the middle of a pass, for what a job may have
 * depends on the starts before it. Design record 0006 says why.
 */
@NullMarked
package io.weir.scheduler.core.backfill;

import org.jspecify.annotations.NullMarked;
