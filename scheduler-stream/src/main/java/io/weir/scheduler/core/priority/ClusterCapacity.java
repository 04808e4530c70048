package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeTable;

/**
 * What all nodes of a cluster have together, and what share of it jobs ask for and hold.
 *
 * @param procs processors
 * @param memoryMb memory, MB
 * @param swapMb swap, MB
 * @param diskMb local disk, MB
 */
public record ClusterCapacity(long procs, long memoryMb, long swapMb, long diskMb) {
    /** Differences below count as none. */
    private static final double NOTHING = 1e-6;

    /** A cluster without nodes. */
    public static final ClusterCapacity NONE = new ClusterCapacity(0, 0, 0, 0);

    /** Returns what {@code nodes} are configured with. */
    public static ClusterCapacity of(NodeTable nodes) {
        long procs = 0;
        long memory = 0;
        long swap = 0;
        long disk = 0;
        for (int i = 0; i < nodes.size(); i++) {
            Capacity each = nodes.at(i).configured();
            procs += each.procs();
            memory += each.memoryMb();
            swap += each.swapMb();
            disk += each.diskMb();
        }
        return new ClusterCapacity(procs, memory, swap, disk);
    }

    /** Returns the processor equivalents of {@code request} in millionths: its largest share of anything, in processors. */
    public long processorEquivalents(JobRequest request) {
        long memory = 0;
        long swap = 0;
        long disk = 0;
        for (Requirement requirement : request.requirements()) {
            memory += requirement.memoryMb();
            swap += requirement.tasks() * requirement.resources().swapMb();
            disk += requirement.tasks() * requirement.resources().diskMb();
        }
        return processorEquivalents(new Capacity(request.procs(), memory, swap, disk));
    }

    /** Returns the processor equivalents of {@code amounts} in millionths: the largest share of anything, in processors. */
    public long processorEquivalents(Capacity amounts) {
        long most = amounts.procs() * Micros.ONE;
        most = Math.max(most, share(amounts.memoryMb(), memoryMb));
        most = Math.max(most, share(amounts.swapMb(), swapMb));
        return Math.max(most, share(amounts.diskMb(), diskMb));
    }

    /**
     * Returns how much of each resource makes up {@code equivalents} processor equivalents, in millionths: nothing for a
     * negative number, and without bound what the nodes have none of.
     */
    public Capacity within(long equivalents) {
        return new Capacity(
                (int) Math.min(Integer.MAX_VALUE, Math.max(0, equivalents) / Micros.ONE),
                within(equivalents, memoryMb),
                within(equivalents, swapMb),
                within(equivalents, diskMb));
    }

    private long within(long equivalents, long there) {
        if (there == 0 || procs == 0) {
            return Long.MAX_VALUE;
        }
        double share = (double) Math.max(0, equivalents) / Micros.ONE / procs;
        return (long) Math.floor(share * there + NOTHING);
    }

    private long share(long asked, long there) {
        return asked == 0 || there == 0 ? 0 : Micros.of(procs, asked, there);
    }
}
