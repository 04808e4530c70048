package io.weir.rm.simulated;

/** What a line of the ledger records. Names are part of the file format: add, never rename. */
enum Effect {
    /** The ledger was begun for a cluster and a workload. */
    OPEN,
    /** The simulated resource manager was looked at. */
    POLL,
    /** A job entered the queue. */
    SUBMIT,
    /** A command started a job. */
    START,
    /** A job ended by itself, at its limit, or with its node. */
    END,
    /** A command cancelled a job. */
    CANCEL,
    /** A command put a running job back into the queue. */
    REQUEUE,
    /** A command held a waiting job. */
    HOLD,
    /** A command released a held job. */
    RELEASE,
    /** A command changed the wallclock limit of a job. */
    LIMIT,
    /** A command suspended a running job. */
    SUSPEND,
    /** A command resumed a suspended job. */
    RESUME,
    /** A command gave a running job more nodes. */
    GROW,
    /** A command took nodes from a running job. */
    SHRINK,
    /** A command took a node out of service, or back into it. */
    DRAIN,
    /** A command replaced the features of a node. */
    FEATURES,
    /** A command was refused. */
    REFUSE,
    /** A command was refused because the script says so. */
    REFUSE_BY_SCRIPT,
    /** A node went down or came up. */
    NODE;

    /** Says whether an entry of this kind answers a command, and so carries its number and id. */
    boolean answersCommand() {
        return switch (this) {
            case START,
                    CANCEL,
                    REQUEUE,
                    HOLD,
                    RELEASE,
                    LIMIT,
                    SUSPEND,
                    RESUME,
                    GROW,
                    SHRINK,
                    DRAIN,
                    FEATURES,
                    REFUSE,
                    REFUSE_BY_SCRIPT -> true;
            case OPEN, POLL, SUBMIT, END, NODE -> false;
        };
    }
}
