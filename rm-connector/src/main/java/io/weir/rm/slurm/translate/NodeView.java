package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.MagneticNodes;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes and the partitions looked like at the last look, so that the next one costs little: Slurm is asked for
 * those that changed since. One thread.
 */
final class NodeView {
    private static final Duration VAIN_LOOKS_APART = Duration.ofSeconds(30);

    /** States of nodes on which jobs start. */
    private static final Set<NodeState> UP = EnumSet.of(NodeState.IDLE, NodeState.RUNNING, NodeState.BUSY);

    private final SlurmRest rest;
    private final SlurmNodeTranslation translation;
    private final StartObstacles obstacles;
    private final NodePartitions partitions;
    private final SlurmConfiguration configuration;
    private final ChangesSince changes = new ChangesSince();

    private List<NodeReport> nodes = List.of();
    private MagneticNodes magnetic = MagneticNodes.NONE;

    /** When a partition without nodes was looked for last: each look is one at all nodes. */
    private final Map<String, Instant> soughtInVain = new HashMap<>();

    /** Whether nodes or partitions are others since it was asked last. */
    private boolean reconfigured;

    /**
     * Creates a view that has seen nothing yet.
     *
     * @param commands null where there are none
     * @param obstacles is told of nodes that can be given to jobs again
     * @param partitions is told of the nodes' partitions
     */
    NodeView(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            SlurmJobTranslation jobs,
            SlurmNodeTranslation translation,
            StartObstacles obstacles,
            NodePartitions partitions) {
        this.rest = rest;
        this.translation = translation;
        this.obstacles = obstacles;
        this.partitions = partitions;
        this.configuration = new SlurmConfiguration(commands, jobs, partitions);
    }

    /** Looks at the nodes. */
    List<NodeReport> look(Instant now) {
        if (configuration.look(now)) {
            reconfigured = true;
            changes.forget();
        }
        Optional<List<SlurmNode>> fresh = rest.nodes(changes.at(now));
        changes.told(now);
        fresh.ifPresent(list -> take(list, now));
        return nodes;
    }

    /** Returns the nodes as they were seen last. */
    List<NodeReport> latest() {
        return nodes;
    }

    /** Says whether what is said of jobs may be another, as nodes or partitions are, since this was asked last. */
    boolean takeReconfigured() {
        boolean was = reconfigured;
        reconfigured = false;
        return was;
    }

    /** Has the next look tell anew of nodes that reservations draw jobs to. */
    void drawn(MagneticNodes now) {
        if (!now.equals(magnetic)) {
            magnetic = now;
            changes.forget();
        }
    }

    /**
     * Looks at all nodes, and at what partitions are like, where a job waits for a partition that no node was seen in: of one that
     * is made Slurm does not say that it changes any node.
     */
    void meetPartitions(Collection<SlurmJob> jobs, Instant now) {
        Set<String> unknown = new HashSet<>();
        jobs.stream()
                .filter(SlurmJob::isPending)
                .flatMap(job -> job.partitions().stream())
                .filter(name -> !partitions.knowsAll(List.of(name)))
                .forEach(unknown::add);
        soughtInVain.values().removeIf(since -> since.plus(VAIN_LOOKS_APART).isBefore(now));
        if (!soughtInVain.keySet().containsAll(unknown)) {
            changes.forget();
            configuration.forget();
            look(now);
            unknown.forEach(name -> soughtInVain.put(name, now));
        }
    }

    private void take(List<SlurmNode> list, Instant now) {
        Map<String, NodeReport> before =
                nodes.stream().collect(Collectors.toMap(NodeReport::getNodeId, Function.identity()));
        reconfigured |= partitions.see(list);
        reconfigured |= configuration.meet(list.stream().map(SlurmNode::name).collect(Collectors.toSet()), now);
        List<NodeReport> after = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            translation
                    .report(
                            configuration.describe(list.get(i)).in(magnetic),
                            i,
                            configuration.unit(),
                            configuration.caps(),
                            partitions.units())
                    .ifPresent(report -> {
                        @Nullable NodeReport same = before.get(report.getNodeId());
                        after.add(report.equals(same) ? same : report);
                    });
        }
        nodes = List.copyOf(after);
        obstacles.returned(returned(before, after), now);
    }

    /** Returns the nodes that can be given to jobs and could not be before. */
    private static Set<String> returned(Map<String, NodeReport> before, List<NodeReport> after) {
        return after.stream()
                .filter(node ->
                        isUp(node) && before.containsKey(node.getNodeId()) && !isUp(before.get(node.getNodeId())))
                .map(NodeReport::getNodeId)
                .collect(Collectors.toSet());
    }

    private static boolean isUp(@Nullable NodeReport node) {
        return node != null && !node.getFailing() && UP.contains(node.getState());
    }
}
