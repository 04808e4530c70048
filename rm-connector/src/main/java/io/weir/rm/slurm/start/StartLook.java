package io.weir.rm.slurm.start;

import io.weir.rm.slurm.translate.StartObstacle;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs that were released and what is seen of them at one moment: what keeps one of them from starting may be another. Immutable.
 *
 * @param parts what is to start
 * @param snapshots what is seen, by job
 */
record StartLook(List<StartedPart> parts, Map<String, JobSnapshot> snapshots) {
    StartLook {
        parts = List.copyOf(parts);
    }

    /**
     * Returns what keeps a part from starting; empty when nothing is seen of it. A node that Slurm keeps for a job ahead it calls
     * unavailable to those behind, as one that is down.
     */
    Optional<StartObstacle> obstacle(StartedPart part) {
        return Optional.ofNullable(snapshots.get(part.job())).map(snapshot -> {
            StartObstacle obstacle = StartObstacle.of(snapshot.reason(), part.nodes());
            boolean unavailable = obstacle.kind() == StartObstacle.Kind.NODES && !obstacle.isRoom();
            return unavailable && obstacle.nodes().stream().allMatch(node -> isAwaited(node, part))
                    ? StartObstacle.behindAnother(part.nodes())
                    : obstacle;
        });
    }

    /** Says whether another job that was released waits for room on a node, which therefore is up. */
    private boolean isAwaited(String node, StartedPart behind) {
        return parts.stream()
                .filter(part -> !part.job().equals(behind.job()) && part.nodes().contains(node))
                .flatMap(part -> Optional.ofNullable(snapshots.get(part.job())).stream()
                        .filter(JobSnapshot::waits)
                        .map(snapshot -> StartObstacle.of(snapshot.reason(), part.nodes())))
                .anyMatch(StartObstacle::isRoom);
    }
}
