package io.weir.rm.runtime.fact;

import io.weir.schemas.HeartbeatReference;

/**
 * What became of a poll.
 *
 * @param heartbeat the heartbeat that closed it
 * @param nodes node reports written
 * @param jobs job reports written
 */
public record PublishedPoll(HeartbeatReference heartbeat, int nodes, int jobs) {}
