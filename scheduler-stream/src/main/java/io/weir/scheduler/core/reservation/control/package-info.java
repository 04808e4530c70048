/**
 * Making, changing, moving and ending reservations that are no job's: requests, standing reservations, the choice of
 * nodes, and what is counted about them. Decides nothing about jobs.
 */
@NullMarked
package io.weir.scheduler.core.reservation.control;

import org.jspecify.annotations.NullMarked;
