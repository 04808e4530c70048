package io.weir.rm.runtime;

import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.fact.FactLog;

/** Opens connections to the log; every epoch has its own pair. */
public interface LogConnections {

    /**
     * Opens the writing side.
     *
     * @param together whether facts are written together, with a {@link FactLog#flush} behind them, rather than each as soon
     *     as it can be
     */
    FactLog openFacts(boolean together);

    /**
     * Opens the reading side.
     *
     * @param iterations whether the iterations of the scheduler are wanted
     */
    CommandFeed openFeed(boolean iterations);
}
