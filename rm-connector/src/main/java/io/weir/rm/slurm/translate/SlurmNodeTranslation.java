package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.GresUnits;
import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.SlurmAmounts;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's nodes in Weir's words. A node that is being rebooted or switched off is DRAINED, whatever else Slurm says: it has not failed.
 * One that is switched off to save power is idle, for Slurm switches it on when a job is started there, and so is one that is being switched
 * on. One that does not answer is UNKNOWN until Slurm gives it up and says DOWN: its jobs may well run on. Drained nodes are DRAINING
 * while jobs are left on them. One that is to be rebooted or switched off when it is idle takes jobs, as under Slurm, until it is. A
 * planned or reserved node is up: those are Slurm's own plans. Stateless.
 */
public final class SlurmNodeTranslation {
    private static final Set<String> DOWN = Set.of("DOWN", "ERROR");

    /** Slurm calls a node down that it reboots. */
    private static final Set<String> REBOOTING = Set.of("REBOOT_ISSUED");

    /** What is done with a node and is no failure of it. */
    private static final Set<String> OUT_FOR_A_WHILE = Set.of("POWERING_DOWN", "REBOOT_ISSUED");

    private static final Set<String> POWERED_DOWN = Set.of("POWERED_DOWN");
    private static final Set<String> OFF = Set.of("POWERED_DOWN", "POWERING_DOWN");

    /** Nodes of which nothing is heard, as is to be expected. */
    private static final Set<String> ASLEEP = Set.of("POWERED_DOWN", "POWER_UP", "POWERING_UP");

    private static final Set<String> SILENT = Set.of("NOT_RESPONDING", "NO_RESPOND");

    /** Nodes that get no more jobs and keep those they have, also because they have less than slurm.conf says of them. */
    private static final Set<String> DRAIN = Set.of("DRAIN", "DRAINED", "DRAINING", "INVALID_REG");

    /** What becomes of a node that is idle. */
    private static final Set<String> WHEN_IDLE = Set.of("REBOOT_REQUESTED", "POWER_DOWN");

    private static final Set<String> FAILING = Set.of("FAIL", "FAILING");
    private static final Set<String> ABSENT = Set.of("FUTURE");
    private static final Set<String> UP = Set.of("IDLE", "ALLOCATED", "MIXED", "COMPLETING", "PLANNED", "RESERVED");

    private final String cluster;
    private final boolean load;
    private final boolean usage;

    public SlurmNodeTranslation(String cluster, boolean load, boolean usage) {
        this.cluster = cluster;
        this.load = load;
        this.usage = usage;
    }

    /**
     * Returns the report of the node at that position, of which jobs get {@code unit}s and those of a partition no more tasks than
     * its cap, with its generic resources in such units; empty for one that does not exist yet.
     */
    Optional<NodeReport> report(SlurmNode seen, int index, ProcUnit unit, PartitionCaps caps, GresUnits gresUnits) {
        // Of a whole node no cores are kept for the system.
        SlurmNode node = unit == ProcUnit.NODE ? seen.whole() : seen;
        if (node.hasAny(ABSENT)) {
            return Optional.empty();
        }
        // What was measured before it was switched off is not so any more.
        boolean measured = load && node.loadHundredths() >= 0 && !node.hasAny(OFF);
        return Optional.of(NodeReport.newBuilder()
                .setCluster(cluster)
                .setNodeId(node.name())
                .setIndex(index)
                .setState(state(node))
                .setFailing(node.hasAny(FAILING))
                .setProcs(node.procs())
                .setProcUnit(unit.on(node))
                .setMemoryMb(node.memoryMb())
                // Tenths: more would be a change in every poll.
                .setLoad(measured ? Math.round(node.loadHundredths() / 10.0) / 10.0 : null)
                .setFeatures(node.features())
                .setDiskMb(node.diskMb())
                .setAvailableProcs(usage ? Math.max(0, node.procs() - node.usedProcs()) : null)
                .setAvailableMemoryMb(usage ? Math.max(0, node.memoryMb() - node.usedMemoryMb()) : null)
                .setGres(SlurmAmounts.records(resources(node, caps, gresUnits)))
                .setClasses(node.partitions().stream()
                        .map(partition -> new NameCount(partition, (long) caps.of(partition, node.procs())))
                        .toList())
                .setArch(node.arch())
                .setOs(node.os())
                .setPoweredOn(!node.hasAny(OFF))
                .setSwitchedOnForJobs(node.hasAny(POWERED_DOWN))
                .setReason(node.reason() == null && isSilent(node) ? "not responding" : node.reason())
                .build());
    }

    private static SortedMap<String, Long> resources(SlurmNode node, PartitionCaps caps, GresUnits gresUnits) {
        SortedMap<String, Long> all = new TreeMap<>(gresUnits.whole(node.gres()));
        for (String partition : node.partitions()) {
            @Nullable String capped = caps.resource(partition);
            if (capped != null) {
                all.put(capped, (long) caps.of(partition, node.procs()));
            }
        }
        return all;
    }

    private static boolean isSilent(SlurmNode node) {
        return node.hasAny(SILENT) && !node.hasAny(ASLEEP);
    }

    private NodeState state(SlurmNode node) {
        boolean leaving = node.hasAny(OUT_FOR_A_WHILE);
        if (node.hasAny(DOWN) && !node.hasAny(REBOOTING)) {
            return NodeState.DOWN;
        }
        if (isSilent(node) && !leaving) {
            return NodeState.UNKNOWN;
        }
        boolean used = node.usedProcs() > 0 || node.hasAny(Set.of("COMPLETING"));
        if (leaving || node.hasAny(DRAIN) || (!used && node.hasAny(WHEN_IDLE))) {
            return used ? NodeState.DRAINING : NodeState.DRAINED;
        }
        if (!node.hasAny(UP)) {
            return NodeState.UNKNOWN;
        }
        if (!usage || node.usedProcs() == 0) {
            return NodeState.IDLE;
        }
        return node.usedProcs() < node.procs() ? NodeState.RUNNING : NodeState.BUSY;
    }
}
