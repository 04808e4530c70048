package io.weir.scheduler.core.event;

/**
 * A further action on an event that lasts. Immutable.
 *
 * @param seconds how long after the first firing, 0 or more
 * @param action what is done then
 */
public record EventEscalation(long seconds, EventAction action) {}
