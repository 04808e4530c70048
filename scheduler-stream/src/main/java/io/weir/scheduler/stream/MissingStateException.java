package io.weir.scheduler.stream;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.stream.store.StoredState;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * The stores do not belong together: one of them was lost with the topic that keeps it, and made anew. To go on would be to
 * decide without what was known, and the journal could not be continued.
 */
public final class MissingStateException extends StreamsException {
    private static final long serialVersionUID = 1L;

    private MissingStateException(String cluster, long stored, long journaled) {
        super("The state of cluster '" + cluster + "' is of iteration " + stored
                + ", but the journal stands at iteration "
                + journaled
                + ": a topic that keeps the state was removed, or brokers lost it, and what this machine has is"
                + " older. Nothing was taken in. If the log said before that the state was written anew, remove the directory"
                + " named after application.id in state.dir and start again: the topics have all of it. Otherwise restore the"
                + " changelog topics of application.id, or begin anew with another topics.prefix and application.id");
    }

    /**
     * Makes sure that what the stores held of a cluster belongs together.
     *
     * @throws MissingStateException when it does not
     */
    static void check(StoredState.OfCluster stored) {
        JournalStatus journal = stored.journal();
        long journaled = journal == null ? 0 : journal.getIteration();
        long known = stored.entities().stream()
                .filter(entity -> entity.kind() == EntityKind.DOMAIN)
                .map(Change::value)
                .filter(DomainStatus.class::isInstance)
                .mapToLong(domain -> ((DomainStatus) domain).getIteration())
                .findFirst()
                .orElse(0);
        if (journaled != known) {
            throw new MissingStateException(stored.cluster(), known, journaled);
        }
    }
}
