package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallRequest;
import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.NodeOrder;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Puts a command into the arguments and the context that an action is called with. */
final class CommandCall {
    private CommandCall() {}

    /** A command that cannot be put into words of this resource manager; nothing was called. */
    static final class UnsayableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnsayableException(String message) {
            super(message);
        }
    }

    /** Returns the call for {@code command}, which is about {@code job}. */
    static CallRequest of(RmCommand command, JobReport job) throws UnsayableException {
        List<String> arguments = new ArrayList<>(List.of(job.getJobId()));
        switch (command.getKind()) {
            case START_JOB -> {
                arguments.add(String.join(",", taskList(command, job)));
                arguments.add(job.getUser() == null ? "" : job.getUser());
            }
            case HOLD_JOB -> arguments.add("hold=1");
            case RELEASE_JOB -> {
                if (CommandArguments.isForUsersHold(command)) {
                    throw new UnsayableException(
                            "whose hold it is cannot be told; its owner releases it in the resource"
                                    + " manager, an operator here");
                }
                arguments.add("hold=0");
            }
            case MODIFY_JOB, SIGNAL_JOB -> arguments.addAll(changes(command));
            case ADD_NODES -> arguments.add("tasklist+=" + String.join(",", taskList(command, job)));
            case REMOVE_NODES -> arguments.add("tasklist-=" + nodeList(command));
            case UNKNOWN,
                    CANCEL_JOB,
                    REQUEUE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    FULL_POLL,
                    DRAIN_NODE,
                    RESUME_NODE,
                    MODIFY_NODE,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION -> arguments.add(reason(command.getReason()));
        }
        return new CallRequest(false, arguments, context(command), command.getCommandId());
    }

    /** Returns the call for {@code command}, which is about a node. */
    static CallRequest ofNode(RmCommand command) throws UnsayableException {
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(command.getObjectId())));
        Optional<String> power = CommandArguments.find(command, CommandArguments.POWER);
        NodeOrder order = NodeOrder.of(command.getKind())
                .orElseThrow(() -> new UnsayableException(command.getKind() + " is not about a node"));
        switch (order) {
            case DRAIN -> arguments.addAll(List.of("--set", "state=Draining"));
            case RESUME -> arguments.addAll(List.of("--set", "state=Idle"));
            case MODIFY -> {
                if (power.isPresent()) {
                    if (command.getArguments().size() > 1) {
                        throw new UnsayableException("power is switched alone, not together with other changes");
                    }
                    arguments.add(power.get().toUpperCase(Locale.ROOT));
                } else {
                    changes(command).forEach(change -> arguments.addAll(List.of("--set", change)));
                }
            }
        }
        if (arguments.size() == 1) {
            throw new UnsayableException("there is nothing to change");
        }
        return new CallRequest(false, arguments, context(command), command.getCommandId());
    }

    /** Returns every change as {@code name=value}, the wallclock limit first. */
    private static List<String> changes(RmCommand command) throws UnsayableException {
        List<String> changes = new ArrayList<>();
        if (command.getWalltimeSeconds() != null) {
            changes.add(CommandArguments.WALLTIME + "=" + command.getWalltimeSeconds());
        }
        command.getArguments().forEach(argument -> changes.add(argument.getName() + "=" + argument.getValue()));
        if (changes.isEmpty()) {
            throw new UnsayableException("there is nothing to change");
        }
        return changes;
    }

    private static String nodeList(RmCommand command) {
        return command.getAllocation().stream().map(NodeAllocation::getNodeId).collect(Collectors.joining(","));
    }

    /** Returns the node of each task, task 0 first: as placed, or else by the order of the allocation. */
    private static List<String> taskList(RmCommand command, JobReport job) throws UnsayableException {
        List<String> tasks = new ArrayList<>();
        if (!command.getPlacements().isEmpty()) {
            for (TaskPlacement placed : command.getPlacements()) {
                tasks.addAll(Collections.nCopies(placed.getTasks(), placed.getNodeId()));
            }
            return tasks;
        }
        for (NodeAllocation allocation : command.getAllocation()) {
            if (allocation.getProcs() % job.getProcsPerTask() != 0) {
                throw new UnsayableException("job " + job.getJobId() + " has tasks of " + job.getProcsPerTask()
                        + " processors: " + allocation.getProcs() + " on " + allocation.getNodeId()
                        + " are no whole number of them");
            }
            for (int i = 0; i < allocation.getProcs() / job.getProcsPerTask(); i++) {
                tasks.add(allocation.getNodeId());
            }
        }
        return tasks;
    }

    private static String reason(String words) {
        String text = words.toLowerCase(Locale.ROOT);
        if (text.contains("wallclock") || text.contains("walltime")) {
            return "WALLCLOCK";
        }
        return text.contains("fail") ? "FAILURE" : "ADMIN";
    }

    private static Map<String, String> context(RmCommand command) {
        Map<String, String> context = new TreeMap<>();
        context.put("WEIR_CLUSTER", command.getCluster());
        context.put("WEIR_COMMAND_ID", command.getCommandId());
        context.put("WEIR_COMMAND_KIND", command.getKind().name());
        context.put("WEIR_REASON", command.getReason());
        if (command.getWalltimeSeconds() != null) {
            context.put("WEIR_WALLTIME", command.getWalltimeSeconds().toString());
        }
        if (!command.getAllocation().isEmpty()) {
            context.put(
                    "WEIR_ALLOCATION",
                    command.getAllocation().stream()
                            .map(allocation -> allocation.getNodeId() + ":" + allocation.getProcs())
                            .collect(Collectors.joining(",")));
        }
        return context;
    }
}
