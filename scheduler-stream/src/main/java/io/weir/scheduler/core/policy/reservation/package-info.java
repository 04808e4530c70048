/**
 * Configuration of priority reservations, standing reservations and reservation profiles. Values only; they are read in
 * {@code core.policy}.
 */
@NullMarked
package io.weir.scheduler.core.policy.reservation;

import org.jspecify.annotations.NullMarked;
