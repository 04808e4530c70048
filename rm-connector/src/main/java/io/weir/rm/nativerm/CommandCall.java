package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallRequest;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            case RELEASE_JOB -> arguments.add("hold=0");
            default -> arguments.add(reason(command.getReason()));
        }
        return new CallRequest(false, arguments, context(command), command.getCommandId());
    }

    /** Returns the node of each task, by the order of the allocation. */
    private static List<String> taskList(RmCommand command, JobReport job) throws UnsayableException {
        List<String> tasks = new ArrayList<>();
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
