package io.weir.scheduler.core.reservation.standing;

/**
 * When one instance of a standing reservation lies.
 *
 * @param start first second, epoch seconds
 * @param end end, exclusive, epoch seconds
 */
public record InstancePeriod(long start, long end) {}
