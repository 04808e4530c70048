package io.weir.scheduler.core.plan;

/**
 * Resources that are idle now and stay so for a while: the largest rectangle of its width.
 *
 * @param procs processors
 * @param seconds how long; {@link Long#MAX_VALUE} for ever
 */
public record Window(long procs, long seconds) {}
