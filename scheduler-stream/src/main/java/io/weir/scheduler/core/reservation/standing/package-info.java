/**
 * Standing reservations: the calendar that says when their instances lie, in UTC. Knows nothing of nodes or jobs.
 */
@NullMarked
package io.weir.scheduler.core.reservation.standing;

import org.jspecify.annotations.NullMarked;
