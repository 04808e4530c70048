package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.ReservationCopy;
import io.weir.schemas.Severity;
import java.util.List;

/**
 * Commands that a connector counts as finished and that have no result, as when it could not read them. A complete poll comes
 * after every result that its connector wrote before it, so such a result is not on its way. The connector is asked for everything:
 * its next full poll says of each job whether it waits or runs, and ends the wait for the result.
 */
final class MissingResults {
    private final ClusterState state;

    MissingResults(ClusterState state) {
        this.state = state;
    }

    /** A poll of {@code connector} is complete; one that is {@code full} has told of every job. */
    void polled(ConnectorState connector, boolean full) {
        List<Job> jobs = state.jobs.unanswered().stream()
                .filter(job -> connector.id().equals(job.request().connector())
                        && job.commandNumber() <= connector.finishedCommand())
                .toList();
        List<ReservationCopy> copies = state.domain.copies.values().stream()
                .filter(copy -> copy.gone()
                        && copy.connector().equals(connector.id())
                        && copy.command() <= connector.finishedCommand())
                .toList();
        if (full) {
            jobs.forEach(new CommandOutcomes(state)::missing);
            copies.forEach(copy -> state.domain.copies.put(copy.key(), copy.lost()));
        } else if (!jobs.isEmpty() || !copies.isEmpty()) {
            tell(connector, jobs, copies.size());
            state.domain.askForEverything(connector.id());
        }
    }

    private void tell(ConnectorState connector, List<Job> jobs, int copies) {
        String such = jobs.isEmpty()
                ? "the end of a reservation"
                : jobs.get(0).pending() + " of job " + jobs.get(0).id();
        state.domain.notice(
                Severity.WARNING,
                "resultmissing",
                "rm",
                connector.id(),
                "commands finished by " + connector.id() + " without a result: " + (jobs.size() + copies) + ", such as "
                        + such + "; everything is asked for anew");
    }
}
