package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.Switches;
import io.weir.rm.slurm.client.SystemMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How Slurm is configured, as far as what is said of nodes depends on it: what it gives as a whole, whether it counts memory, how much
 * of a node partitions give, what nodes keep for the system and on which switches they hang. It is looked at every few seconds, what there
 * is much to read of less often, and all of it when the controller was restarted or there are other nodes. One thread.
 */
final class SlurmConfiguration {
    private static final Duration HOLDS = Duration.ofSeconds(10);
    private static final Duration NODES_HOLD = Duration.ofMinutes(10);
    private static final Pattern BOOT = Pattern.compile("(?m)^BOOT_TIME\\s*=\\s*(.*)$");

    private final @Nullable SlurmCommands commands;
    private final SlurmJobTranslation jobs;
    private final NodePartitions partitions;
    private @Nullable Instant looked;
    private @Nullable Instant lookedAtNodes;
    private Set<String> names = Set.of();
    private String config = "";
    private ProcUnit unit = ProcUnit.CORE;
    private PartitionCaps caps = PartitionCaps.NONE;
    private SystemMemory systemMemory = SystemMemory.NONE;
    private Switches switches = Switches.NONE;

    /**
     * Creates one of which nothing is known.
     *
     * @param commands null where there are none
     */
    SlurmConfiguration(@Nullable SlurmCommands commands, SlurmJobTranslation jobs, NodePartitions partitions) {
        this.commands = commands;
        this.jobs = jobs;
        this.partitions = partitions;
    }

    /** Has the next look be one at all of it. */
    void forget() {
        looked = null;
        lookedAtNodes = null;
    }

    /** Looks at it if that was not just done; returns whether anything is otherwise than before. */
    boolean look(Instant now) {
        if (commands == null || isFresh(looked, HOLDS, now)) {
            return false;
        }
        String fresh = commands.config();
        ProcUnit unitNow = ProcUnit.of(fresh);
        boolean changed = unitNow != unit;
        unit = unitNow;
        jobs.configured(fresh);
        caps = commands.partitionCaps().orElse(caps);
        changed |= partitions.see(MemoryRule.of(fresh), caps);
        boolean restarted = !bootOf(fresh).equals(bootOf(config));
        config = fresh;
        looked = now;
        boolean nodesChanged = (restarted || !isFresh(lookedAtNodes, NODES_HOLD, now)) && lookAtNodes(commands, now);
        return changed || nodesChanged;
    }

    /** There are these nodes; returns whether anything is otherwise than before, which others than before are asked for. */
    boolean meet(Set<String> nodes, Instant now) {
        if (commands == null || nodes.equals(names)) {
            return false;
        }
        names = Set.copyOf(nodes);
        return lookAtNodes(commands, now);
    }

    private boolean lookAtNodes(SlurmCommands slurm, Instant now) {
        SystemMemory before = systemMemory;
        systemMemory = slurm.systemMemory().orElse(systemMemory);
        switches = slurm.switches(config).orElse(switches);
        lookedAtNodes = now;
        return partitions.see(switches) || !systemMemory.equals(before);
    }

    private static boolean isFresh(@Nullable Instant since, Duration holds, Instant now) {
        return since != null && Duration.between(since, now).abs().compareTo(holds) <= 0;
    }

    private static Optional<String> bootOf(String config) {
        Matcher boot = BOOT.matcher(config);
        return boot.find() ? Optional.of(boot.group(1)) : Optional.empty();
    }

    ProcUnit unit() {
        return unit;
    }

    PartitionCaps caps() {
        return caps;
    }

    /** Returns a node with what is known of it by this: with the memory that jobs can be given, and its switch. */
    SlurmNode describe(SlurmNode node) {
        return systemMemory.leftOf(node).on(switches);
    }
}
