package io.weir.rm.runtime.fact;

import io.weir.schemas.HeartbeatReference;

/**
 * What became of a poll.
 *
 * @param heartbeat the heartbeat that closed it
 * @param nodes node reports written
 * @param jobs job reports written
 * @param waiting jobs that may start, whether or not that was written anew
 * @param malformed what the heartbeat says was malformed
 */
public record PublishedPoll(HeartbeatReference heartbeat, int nodes, int jobs, int waiting, long malformed) {}
