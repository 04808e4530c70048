package io.weir.rm.runtime;

import java.time.Duration;

/**
 * What the runner has to know besides its resource manager and its log.
 *
 * @param cluster name of the cluster
 * @param connector id of the connector, unique in the cluster
 * @param pollInterval time between two polls of a live resource manager
 * @param retry pauses after a failure
 */
public record RunnerConfig(String cluster, String connector, Duration pollInterval, Backoff retry) {}
