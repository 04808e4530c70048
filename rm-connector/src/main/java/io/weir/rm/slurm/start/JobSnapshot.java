package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of a job that is to start. Immutable.
 *
 * @param state Slurm's words for its state
 * @param waits whether it is in the queue
 * @param held whether Slurm may not start it
 * @param hadNodes whether it has or had nodes
 * @param onNodes whether it has nodes and has not begun to leave them
 * @param started when it started, or was cancelled in the queue; null when it did not
 * @param reason why it waits, in Slurm's words
 */
record JobSnapshot(
        String state,
        boolean waits,
        boolean held,
        boolean hadNodes,
        boolean onNodes,
        @Nullable Instant started,
        String reason) {
    static JobSnapshot of(SlurmJob job) {
        return new JobSnapshot(
                String.join(",", job.states().stream().sorted().toList()),
                job.is("PENDING"),
                job.isHeld(),
                job.hadNodes(),
                job.isRunning(),
                job.started(),
                job.reason());
    }

    /**
     * Returns what is seen of the components together, at least one: while one waits all of them do, for Slurm starts them at
     * once.
     */
    static JobSnapshot together(List<JobSnapshot> components) {
        if (components.size() == 1) {
            return components.get(0);
        }
        List<JobSnapshot> waiting =
                components.stream().filter(JobSnapshot::waits).toList();
        return new JobSnapshot(
                components.stream().map(JobSnapshot::state).distinct().collect(Collectors.joining(",")),
                !waiting.isEmpty(),
                waiting.stream().anyMatch(JobSnapshot::held),
                components.stream().allMatch(JobSnapshot::hadNodes),
                components.stream().allMatch(JobSnapshot::onNodes),
                components.stream()
                        .flatMap(component -> Stream.ofNullable(component.started()))
                        .max(Comparator.naturalOrder())
                        .orElse(null),
                (waiting.isEmpty() ? components : waiting).get(0).reason());
    }

    static JobSnapshot of(QueueLine line) {
        boolean onNodes = line.state().equals("RUNNING") || line.state().equals("CONFIGURING");
        return new JobSnapshot(
                line.state(),
                line.state().equals("PENDING"),
                line.priority() == 0,
                line.hadNodes(),
                onNodes,
                line.started(),
                line.reason());
    }
}
