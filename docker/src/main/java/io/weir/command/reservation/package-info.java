/**
 * Commands about reservations: showres, mrsvctl, setres and releaseres.
 */
@NullMarked
package io.weir.command.reservation;

import org.jspecify.annotations.NullMarked;
