package io.weir.standalone.bench;

/**
 * How long one job waited for its start command.
 *
 * @param submitted when it was submitted, by {@link System#nanoTime}
 * @param nanos from then to its start command
 */
record StartLatency(long submitted, long nanos) {}
