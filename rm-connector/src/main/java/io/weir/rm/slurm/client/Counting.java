package io.weir.rm.slurm.client;

import org.jspecify.annotations.Nullable;

/**
 * How Slurm counts what a job has of its nodes.
 *
 * @param threads processors of a core, which it gives as a whole
 * @param sockets sockets that every node has; Integer.MAX_VALUE where nothing is known of the nodes
 * @param capped generic resource that stands for processors of which the job's partition gives only so many; null for none
 * @param mostProcs most processors of a node that any of several partitions of the job gives; Integer.MAX_VALUE for all, and where the
 *     job has one partition
 * @param memory whether it counts memory; otherwise a node has to be large enough for a job, whatever others are there
 * @param units in what generic resources are counted
 */
public record Counting(
        int threads, int sockets, @Nullable String capped, int mostProcs, boolean memory, GresUnits units) {
    /** Counts like this where no partition caps the processors of a node, and generic resources are few. */
    public Counting(int threads, boolean memory) {
        this(threads, Integer.MAX_VALUE, null, Integer.MAX_VALUE, memory, GresUnits.ONES);
    }

    /**
     * Returns how many tasks of a job a node has room for that limits those of a socket: Slurm gives it whole cores of each socket,
     * as many as these tasks take.
     *
     * @param procs processors of each task
     */
    int tasksBySockets(int tasksOfSocket, int procs) {
        long cores = ((long) tasksOfSocket * procs + threads - 1) / threads;
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, cores * threads * sockets / procs));
    }
}
