/**
 * Access control lists of reservations: their text, and who they let in with which affinity. Knows neither reservations
 * nor jobs, only what a list says and the traits of whoever asks.
 */
@NullMarked
package io.weir.scheduler.core.reservation.acl;

import org.jspecify.annotations.NullMarked;
