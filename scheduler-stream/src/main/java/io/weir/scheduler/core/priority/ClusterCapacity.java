package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeTable;

/**
 * What all nodes of a cluster have together, and how much of it a job asks for.
 *
 * @param procs processors
 * @param memoryMb memory, MB
 * @param swapMb swap, MB
 * @param diskMb local disk, MB
 */
public record ClusterCapacity(long procs, long memoryMb, long swapMb, long diskMb) {
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
        long most = request.procs() * Micros.ONE;
        most = Math.max(most, share(memory, memoryMb));
        most = Math.max(most, share(swap, swapMb));
        return Math.max(most, share(disk, diskMb));
    }

    private long share(long asked, long there) {
        return asked == 0 || there == 0 ? 0 : Micros.of(procs, asked, there);
    }
}
