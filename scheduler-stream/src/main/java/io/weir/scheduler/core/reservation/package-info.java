/**
 * Resources over time: the availability profile and the reservations in force. Knows nothing of why they were made.
 */
@NullMarked
package io.weir.scheduler.core.reservation;

import org.jspecify.annotations.NullMarked;
