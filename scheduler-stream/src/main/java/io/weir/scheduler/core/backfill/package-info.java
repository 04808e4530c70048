/**
 * Decides which waiting jobs start now and which get reservations. Changes no state: it answers with a plan.
 */
@NullMarked
package io.weir.scheduler.core.backfill;

import org.jspecify.annotations.NullMarked;
