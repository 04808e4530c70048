package io.weir.scheduler.stream;

import java.util.SortedSet;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * The stores hold clusters that this instance is not set to schedule. Whatever comes for them would be passed over, so
 * only an operator can say what is meant.
 */
public final class UnlistedClusterException extends StreamsException {
    private static final long serialVersionUID = 1L;

    /** Says which clusters are missing, and what to do about it. */
    public UnlistedClusterException(SortedSet<String> unlisted, SortedSet<String> clusters) {
        super("The state holds " + unlisted + ", scheduled until now, but clusters is " + clusters
                + ". Add what is missing to clusters, which has to be the same for every instance of an application.id;"
                + " or, to schedule it no more, name it in clusters.given.up. Nothing was taken in");
    }
}
