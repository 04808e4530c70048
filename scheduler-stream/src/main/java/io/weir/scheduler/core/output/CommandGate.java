package io.weir.scheduler.core.output;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one gate through which the commands of an iteration leave, numbered; MODE MONITOR closes it. Used once. */
final class CommandGate {
    private final ClusterState state;
    private final long iteration;
    private final Instant now;
    private final List<Output> outputs;
    private int commands;

    /** Adds the commands of {@code iteration} to {@code outputs}. */
    CommandGate(ClusterState state, long iteration, Instant now, List<Output> outputs) {
        this.state = state;
        this.iteration = iteration;
        this.now = now;
        this.outputs = outputs;
    }

    /**
     * Issues a command, unless no connector is there to take it, or MODE MONITOR holds it back.
     *
     * @param job the job it is about; null for none
     * @param objectId the node or reservation it is about; null for none
     * @return the command's id; null when none was issued
     */
    @Nullable
    String send(
            @Nullable String connectorId,
            CommandKind kind,
            @Nullable Job job,
            Allocation nodes,
            @Nullable Long walltime,
            @Nullable String objectId,
            List<NameValue> arguments,
            String reason) {
        ConnectorState connector = connectorId == null ? null : state.domain.connectors.get(connectorId);
        boolean closed = state.domain.policy.scheduler().mode() == Mode.MONITOR && kind != CommandKind.FULL_POLL;
        if (connector == null || closed) {
            return null;
        }
        long number = connector.issuedCommand() + 1;
        state.domain.connectors.put(connector.id(), connector.issued(number));
        String commandId = state.cluster + "/" + iteration + "/" + commands++;
        outputs.add(new Output(
                OutputKind.COMMAND,
                key(job == null ? connector.id() : job.id()),
                new RmCommand(
                        state.cluster,
                        connector.id(),
                        number,
                        commandId,
                        kind,
                        job == null ? null : job.id(),
                        nodes.nodes(),
                        walltime,
                        reason,
                        iteration,
                        now,
                        now.plusSeconds(IterationOutputs.COMMAND_EXPIRY_SECONDS),
                        nodes.placements(),
                        objectId,
                        arguments)));
        return commandId;
    }

    private String key(String entity) {
        return state.cluster + "/" + entity;
    }
}
