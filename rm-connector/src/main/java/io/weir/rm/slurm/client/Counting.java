package io.weir.rm.slurm.client;

import org.jspecify.annotations.Nullable;

/**
 * How Slurm counts what a job has of its nodes.
 *
 * @param threads processors of a core, which it gives as a whole
 * @param capped generic resource that stands for processors of which the job's partition gives only so many; null for none
 * @param memory whether it counts memory; otherwise a node has to be large enough for a job, whatever others are there
 */
public record Counting(int threads, @Nullable String capped, boolean memory) {}
