package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What Slurm starts as one job: all of it, or a component of a heterogeneous job. Immutable.
 *
 * @param job its name
 * @param allocation where it goes, sorted by node index
 */
record StartedPart(String job, List<NodeAllocation> allocation) {
    StartedPart {
        allocation = List.copyOf(allocation);
    }

    /**
     * Returns what of a start concerns each of the job's records: a component gets the nodes of the requirement that has its
     * number.
     */
    static List<StartedPart> of(RmCommand command, List<SlurmJob> records) {
        return records.stream()
                .map(record -> new StartedPart(
                        record.key(),
                        record.component() == null
                                ? command.getAllocation()
                                : ofRequirement(command, record.component().offset())))
                .toList();
    }

    private static List<NodeAllocation> ofRequirement(RmCommand command, int requirement) {
        Set<String> nodes = command.getPlacements().stream()
                .filter(placement -> placement.getRequirement() == requirement)
                .map(TaskPlacement::getNodeId)
                .collect(Collectors.toCollection(TreeSet::new));
        return command.getAllocation().stream()
                .filter(node -> nodes.contains(node.getNodeId()))
                .toList();
    }

    /** Returns the names of its nodes. */
    List<String> nodes() {
        return allocation.stream().map(NodeAllocation::getNodeId).distinct().toList();
    }
}
