package io.weir.rm.simulated;

import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.NodeOrder;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the simulated resource manager makes of one command: an effect, or a refusal. It changes nothing. */
final class CommandDecision {
    private final RmCommand command;
    private final long now;
    private final SimulatedNodes nodes;
    private final FailureScript script;

    CommandDecision(RmCommand command, long now, SimulatedNodes nodes, FailureScript script) {
        this.command = command;
        this.now = now;
        this.nodes = nodes;
        this.script = script;
    }

    /**
     * Decides.
     *
     * @param job the job that the command is about; null for none, or one that is not known
     * @param refused how many of the job's starts the script has refused
     * @return what happens; an entry with the answer to the command in any case
     */
    LedgerEntry decide(@Nullable SimulatedJob job, int refused) {
        @Nullable String scripted = script.refusedCommands().get(command.getNumber());
        if (scripted != null) {
            return refuse(scripted);
        }
        if (command.getJobId() == null) {
            return onNode();
        }
        return job == null ? refuse("there is no job " + command.getJobId()) : onJob(job, refused);
    }

    private LedgerEntry onJob(SimulatedJob job, int refused) {
        return switch (command.getKind()) {
            case START_JOB -> start(job, refused);
            case CANCEL_JOB ->
                job.waits() || job.holdsNodes()
                        ? entry(
                                Effect.CANCEL,
                                ExitReason.cancelled(job.holdsNodes()).format())
                        : refusal(job);
            case REQUEUE_JOB -> job.holdsNodes() ? entry(Effect.REQUEUE, "") : refusal(job);
            case HOLD_JOB -> job.waits() ? entry(Effect.HOLD, "") : refusal(job);
            case RELEASE_JOB -> job.waits() ? entry(Effect.RELEASE, "") : refusal(job);
            case SUSPEND_JOB -> job.runs() ? entry(Effect.SUSPEND, "") : refusal(job);
            case RESUME_JOB -> job.state() == JobState.SUSPENDED ? entry(Effect.RESUME, "") : refusal(job);
            case MODIFY_JOB -> modify(job);
            case ADD_NODES -> grow(job);
            case REMOVE_NODES -> shrink(job);
            case SIGNAL_JOB -> refuse("a simulated job has no process to signal");
            case UNKNOWN, FULL_POLL, DRAIN_NODE, RESUME_NODE, MODIFY_NODE, CREATE_RESERVATION, RELEASE_RESERVATION ->
                refuse(command.getKind() + " is not about a job");
        };
    }

    private LedgerEntry onNode() {
        String node = String.valueOf(command.getObjectId());
        if (!nodes.contains(node)) {
            return refuse("there is no node " + node);
        }
        return NodeOrder.of(command.getKind())
                .map(this::onNode)
                .orElseGet(() -> refuse(command.getKind() + " is not about a node"));
    }

    private LedgerEntry onNode(NodeOrder order) {
        return switch (order) {
            case DRAIN -> entry(Effect.DRAIN, command.getReason().isBlank() ? "drained" : command.getReason());
            case RESUME -> entry(Effect.DRAIN, "");
            case MODIFY ->
                CommandArguments.find(command, CommandArguments.FEATURES)
                        .map(features -> entry(Effect.FEATURES, features))
                        .orElseGet(() -> refuse("only features of a node can be changed"));
        };
    }

    private LedgerEntry modify(SimulatedJob job) {
        Optional<Long> limit;
        try {
            limit = CommandArguments.walltime(command);
        } catch (IllegalArgumentException e) {
            return refuse(String.valueOf(e.getMessage()));
        }
        if (limit.isEmpty() || limit.get() < 1) {
            return refuse("only the wallclock limit of a job can be changed");
        }
        return job.waits() || job.holdsNodes() ? entry(Effect.LIMIT, limit.get().toString()) : refusal(job);
    }

    private LedgerEntry grow(SimulatedJob job) {
        @Nullable JobAllocation placement = job.placement();
        if (!job.runs() || placement == null) {
            return refusal(job);
        }
        Optional<String> refusal = command.getAllocation().isEmpty()
                ? Optional.of("the command names no node")
                : nodes.refusal(command.getAllocation());
        for (NodeAllocation part : command.getAllocation()) {
            if (placement.allocation().stream().anyMatch(own -> own.getNodeId().equals(part.getNodeId()))) {
                refusal = Optional.of("the job has node " + part.getNodeId() + " already");
            }
        }
        return refusal.isPresent()
                ? refuse(refusal.get())
                : entry(Effect.GROW, new JobAllocation(placement.limit(), command.getAllocation()).format());
    }

    private LedgerEntry shrink(SimulatedJob job) {
        @Nullable JobAllocation placement = job.placement();
        if (!job.runs() || placement == null) {
            return refusal(job);
        }
        List<NodeAllocation> leaving = placement.allocation().stream()
                .filter(own -> command.getAllocation().stream()
                        .anyMatch(part -> part.getNodeId().equals(own.getNodeId())))
                .toList();
        if (leaving.isEmpty()
                || leaving.size() < command.getAllocation().size()
                || leaving.size() == placement.allocation().size()) {
            return refuse("the job has not those nodes to spare");
        }
        return entry(Effect.SHRINK, new JobAllocation(placement.limit(), leaving).format());
    }

    private LedgerEntry start(SimulatedJob job, int refused) {
        int toRefuse = script.refusedStarts().getOrDefault(job.id(), 0);
        if (refused < toRefuse) {
            return entry(Effect.REFUSE_BY_SCRIPT, "this start is refused by the script");
        }
        if (job.state() != JobState.IDLE) {
            return refusal(job);
        }
        Optional<String> refusal =
                nodes.refusal(command.getAllocation(), job.trace().procs());
        if (refusal.isPresent()) {
            return refuse(refusal.get());
        }
        @Nullable Long limit = command.getWalltimeSeconds();
        JobAllocation placement =
                new JobAllocation(Math.max(1, limit == null ? job.estimate() : limit), command.getAllocation());
        return entry(Effect.START, placement.format());
    }

    private LedgerEntry refusal(SimulatedJob job) {
        return refuse("job " + job.id() + " is " + job.state());
    }

    private LedgerEntry refuse(String why) {
        return entry(Effect.REFUSE, why);
    }

    private LedgerEntry entry(Effect effect, String detail) {
        return LedgerEntry.of(now, effect, command, detail);
    }
}
