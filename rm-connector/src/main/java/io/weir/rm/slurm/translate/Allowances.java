package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.LimitRecords;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmPartition;
import io.weir.rm.slurm.client.SlurmRest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What partitions, accounts and QOSs allow. While jobs wait because of that it is looked at every few seconds, and where it has
 * changed the jobs may be tried again. One attempt tells that a partition starts no jobs; until it does, no other is tried there. Nothing
 * of it outlives the process; losing it costs a longer wait. One thread.
 */
final class Allowances {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final StartObstacles obstacles;

    /** Null while no job waits because of them. */
    private @Nullable Map<String, SlurmPartition> partitions;

    private @Nullable LimitRecords limits;
    private Set<String> users = Set.of();
    private Instant looked = Instant.MIN;

    Allowances(SlurmRest rest, @Nullable SlurmCommands commands, StartObstacles obstacles) {
        this.rest = rest;
        this.commands = commands;
        this.obstacles = obstacles;
    }

    /**
     * Looks at them if that is of use and was not just done; has the jobs tried again for which something has changed. Returns whether
     * other partitions than before start no jobs.
     */
    boolean look(Instant now) {
        Set<String> waiting = obstacles.usersThatMayBeAllowed(now);
        if (waiting.isEmpty()) {
            limits = null;
        }
        if (waiting.isEmpty() && !obstacles.knowsShut()) {
            partitions = null;
            looked = Instant.MIN;
            return false;
        }
        if (Duration.between(looked, now).abs().compareTo(LOOK_EVERY) < 0) {
            return false;
        }
        looked = now;
        if (commands != null && !waiting.isEmpty()) {
            lookAtLimits(waiting, commands.limits(waiting), now);
        }
        return lookAtPartitions(now);
    }

    private boolean lookAtPartitions(Instant now) {
        Map<String, SlurmPartition> fresh = rest.partitions();
        if (partitions != null) {
            Set<String> changed = changed(partitions, fresh);
            obstacles.allow(wait -> wait.partitions().stream().anyMatch(changed::contains), now);
        }
        partitions = fresh;
        obstacles.seePartitionsWithQos(fresh.entrySet().stream()
                .filter(partition -> partition.getValue().qos() != null)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()));
        Map<String, String> shut = new TreeMap<>();
        fresh.forEach((name, partition) -> {
            if (partition.closed() != null) {
                shut.put(name, partition.closed());
            }
        });
        return obstacles.shut(shut);
    }

    private void lookAtLimits(Set<String> waiting, LimitRecords fresh, Instant now) {
        if (limits != null) {
            LimitRecords before = limits;
            boolean all = !before.others().equals(fresh.others());
            // Of a user who was not asked for before nothing is known.
            Set<String> known = users;
            obstacles.allow(
                    wait -> all
                            || (known.contains(wait.user())
                                    && !Objects.equals(before.of(wait.user()), fresh.of(wait.user()))),
                    now);
        }
        limits = fresh;
        obstacles.seeAccountsAbove(fresh.above());
        users = Set.copyOf(waiting);
    }

    private static Set<String> changed(Map<String, SlurmPartition> before, Map<String, SlurmPartition> after) {
        Set<String> names = new HashSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
        return names;
    }
}
