package io.weir.rm.nativerm;

import io.weir.rm.spi.CommandArguments;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The addresses a native resource manager may have, by their names in a settings file and in an RMCFG line. */
enum NativeUrl {
    CLUSTER_QUERY(
            "cluster.query.url",
            true,
            "Prints the nodes; the results of several addresses, separated by commas, are combined."),
    WORKLOAD_QUERY(
            "workload.query.url",
            true,
            "Prints the jobs; the results of several addresses, separated by commas, are combined."),
    SYSTEM_QUERY("system.query.url", true, "Prints a name for the resource manager, then its TIME= and VERSION=."),
    JOB_START("job.start.url", false, "Starts a job. Arguments: id; the node of each task, separated by commas; user."),
    JOB_CANCEL("job.cancel.url", false, "Ends a job. Arguments: id; ADMIN, WALLCLOCK or FAILURE."),
    JOB_REQUEUE("job.requeue.url", false, "Puts a running job back into the queue. Arguments: id, reason."),
    JOB_SUSPEND("job.suspend.url", false, "Suspends a job. Arguments: id, reason."),
    JOB_RESUME("job.resume.url", false, "Resumes a job. Arguments: id, reason."),
    JOB_MODIFY(
            "job.modify.url",
            false,
            "Changes a job. Arguments: id, then any of hold=1, hold=0, walltime=seconds, tasklist+=nodes,"
                    + " tasklist-=nodes, signal=name."),
    JOB_SUBMIT("job.submit.url", false, "Submits a job; checked, but no command calls it yet."),
    NODE_MODIFY(
            "node.modify.url",
            false,
            "Changes a node. Arguments: name, --set, then any of state=Draining, state=Idle, features=a,b."),
    NODE_POWER("node.power.url", false, "Switches a node. Arguments: name; ON, OFF or RESET.");

    private final String key;
    private final boolean query;
    private final String description;

    NativeUrl(String key, boolean query, String description) {
        this.key = key;
        this.query = query;
        this.description = description;
    }

    /** Returns the name in a settings file, without prefix. */
    String key() {
        return key;
    }

    /** Returns the name in an RMCFG line. */
    String attribute() {
        return name().replace("_", "") + "URL";
    }

    /** Returns whether it only asks, so that a file may answer. */
    boolean isQuery() {
        return query;
    }

    /** Returns whether there may be several. */
    boolean isList() {
        return this == CLUSTER_QUERY || this == WORKLOAD_QUERY;
    }

    /** Returns what it is called for, in one sentence. */
    String description() {
        return description;
    }

    /** Returns the commands that it carries out. */
    List<CommandKind> commands() {
        return switch (this) {
            case JOB_START -> List.of(CommandKind.START_JOB);
            case JOB_CANCEL -> List.of(CommandKind.CANCEL_JOB);
            case JOB_REQUEUE -> List.of(CommandKind.REQUEUE_JOB);
            case JOB_SUSPEND -> List.of(CommandKind.SUSPEND_JOB);
            case JOB_RESUME -> List.of(CommandKind.RESUME_JOB);
            case JOB_MODIFY ->
                List.of(
                        CommandKind.HOLD_JOB,
                        CommandKind.RELEASE_JOB,
                        CommandKind.MODIFY_JOB,
                        CommandKind.SIGNAL_JOB,
                        CommandKind.ADD_NODES,
                        CommandKind.REMOVE_NODES);
            case NODE_MODIFY -> List.of(CommandKind.DRAIN_NODE, CommandKind.RESUME_NODE, CommandKind.MODIFY_NODE);
            case NODE_POWER -> List.of(CommandKind.MODIFY_NODE);
            case CLUSTER_QUERY, WORKLOAD_QUERY, SYSTEM_QUERY, JOB_SUBMIT -> List.of();
        };
    }

    static Optional<NativeUrl> ofAttribute(String name) {
        return Arrays.stream(values())
                .filter(url -> url.attribute().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Returns the address that carries out {@code command}; power is switched by one of its own. */
    static Optional<NativeUrl> of(RmCommand command) {
        if (CommandArguments.find(command, CommandArguments.POWER).isPresent()) {
            return Optional.of(NODE_POWER);
        }
        return Arrays.stream(values())
                .filter(url -> url.commands().contains(command.getKind()))
                .findFirst();
    }
}
