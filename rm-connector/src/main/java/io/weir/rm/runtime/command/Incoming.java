package io.weir.rm.runtime.command;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.Iteration;
import io.weir.schemas.RmCommand;

/** Something the log has for this connector. */
public sealed interface Incoming {

    /** A command to carry out. */
    record Ordered(RmCommand command) implements Incoming {}

    /** An iteration of the cluster's scheduler; delivered in lock step only. */
    record Decided(Iteration iteration) implements Incoming {}

    /** A record that cannot be read; what it might have ordered is not carried out. */
    record Unreadable(DeadLetter letter) implements Incoming {}

    /**
     * A connector of this id has opened an epoch: this one, or another that takes its place.
     *
     * @param epoch the epoch
     */
    record HelloSeen(long epoch) implements Incoming {}
}
