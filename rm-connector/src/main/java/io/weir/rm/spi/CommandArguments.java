package io.weir.rm.spi;

import io.weir.schemas.NameValue;
import io.weir.schemas.RmCommand;
import java.util.Optional;

/**
 * The arguments of commands, by name. What is not listed for a kind is refused by a resource manager that does not know it.
 *
 * <pre>
 *   MODIFY_JOB           walltime (seconds), features, priority …
 *   SIGNAL_JOB           signal (a name without SIG, or a number)
 *   ADD_NODES, REMOVE_NODES      none: the nodes are the command's allocation
 *   DRAIN_NODE, RESUME_NODE      none: the node is the command's object, the reason its reason
 *   MODIFY_NODE          features (comma-separated), power (ON, OFF, RESET), state (Down), partition, os …
 *   CREATE_RESERVATION   start, end (epoch seconds; no end: for ever), nodes (comma-separated; else the allocation),
 *                        users, accounts
 *   RELEASE_RESERVATION  none: the reservation is the command's object
 * </pre>
 */
public final class CommandArguments {
    /** Wallclock limit in seconds, counted from the start of the job. */
    public static final String WALLTIME = "walltime";

    /** Signal to a job's processes: a name without SIG, or a number. */
    public static final String SIGNAL = "signal";

    /** Which hold of a job is released: {@link #USERS_HOLD}, or without it every one. */
    public static final String TYPE = "type";

    /** The hold of a job's owner, who may not lift an administrator's. */
    public static final String USERS_HOLD = "user";

    /** Features of a node, separated by commas; all of them. */
    public static final String FEATURES = "features";

    /** Down. */
    public static final String STATE = "state";

    /** ON, OFF or RESET. */
    public static final String POWER = "power";

    /** When a reservation begins, in seconds since 1970. */
    public static final String START = "start";

    /** When a reservation ends, in seconds since 1970. */
    public static final String END = "end";

    /** Nodes by name, separated by commas. */
    public static final String NODES = "nodes";

    /** Users with access, separated by commas. */
    public static final String USERS = "users";

    /** Accounts with access, separated by commas. */
    public static final String ACCOUNTS = "accounts";

    private CommandArguments() {}

    /** Returns whether {@code command} releases nothing but the hold of the job's owner. */
    public static boolean isForUsersHold(RmCommand command) {
        return find(command, TYPE).filter(USERS_HOLD::equals).isPresent();
    }

    /** Returns an argument of {@code command}; empty when it is not given. */
    public static Optional<String> find(RmCommand command, String name) {
        return command.getArguments().stream()
                .filter(argument -> argument.getName().equalsIgnoreCase(name))
                .map(NameValue::getValue)
                .findFirst();
    }

    /**
     * Returns a number among the arguments of {@code command}.
     *
     * @throws IllegalArgumentException in words for people, when it is given and no number
     */
    public static Optional<Long> number(RmCommand command, String name) {
        Optional<String> text = find(command, name);
        try {
            return text.map(Long::valueOf);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + text.orElse("") + "', which is no number", e);
        }
    }

    /** Returns the wallclock limit a job is to have, as its own field or as an argument; empty when it is not given. */
    public static Optional<Long> walltime(RmCommand command) {
        Long field = command.getWalltimeSeconds();
        return field != null ? Optional.of(field) : number(command, WALLTIME);
    }
}
