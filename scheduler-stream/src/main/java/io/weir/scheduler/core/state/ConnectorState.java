package io.weir.scheduler.core.state;

import io.weir.scheduler.state.ConnectorStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler knows of one connector; immutable.
 *
 * @param id connector id
 * @param epoch epoch in force
 * @param lastHeartbeat number of the last complete heartbeat of the epoch; 0 before the first
 * @param rmTime resource manager time of that heartbeat; null before the first
 * @param finishedCommand last command finished before that poll began
 * @param issuedCommand last command issued to it
 * @param fullPollWanted the next iteration asks for a full poll
 * @param omittedJobs jobs it reported that were not taken in, since it last listed everything
 * @param silent its nodes were taken out of service because nothing was heard of it for too long, and nothing was since
 */
public record ConnectorState(
        String id,
        long epoch,
        long lastHeartbeat,
        @Nullable Instant rmTime,
        long finishedCommand,
        long issuedCommand,
        boolean fullPollWanted,
        long omittedJobs,
        boolean silent) {
    static ConnectorState from(ConnectorStatus status) {
        return new ConnectorState(
                status.getConnector(),
                status.getEpoch(),
                status.getLastHeartbeat(),
                status.getRmTime(),
                status.getFinishedCommand(),
                status.getIssuedCommand(),
                status.getFullPollWanted(),
                status.getOmittedJobs(),
                status.getSilent());
    }

    ConnectorStatus toRecord() {
        return new ConnectorStatus(
                id, epoch, lastHeartbeat, rmTime, finishedCommand, issuedCommand, fullPollWanted, omittedJobs, silent);
    }

    public ConnectorState opened(long newEpoch) {
        return new ConnectorState(id, newEpoch, 0, rmTime, 0, issuedCommand, false, 0, silent);
    }

    /**
     * Returns the same after a complete poll.
     *
     * @param finished last command that the connector says was finished before the poll began; none is that was not issued
     */
    public ConnectorState polled(long number, Instant at, long finished) {
        long known = Math.min(finished, issuedCommand);
        return new ConnectorState(id, epoch, number, at, known, issuedCommand, fullPollWanted, omittedJobs, false);
    }

    public ConnectorState issued(long number) {
        return new ConnectorState(
                id, epoch, lastHeartbeat, rmTime, finishedCommand, number, fullPollWanted, omittedJobs, silent);
    }

    public ConnectorState fullPoll(boolean wanted) {
        return new ConnectorState(
                id, epoch, lastHeartbeat, rmTime, finishedCommand, issuedCommand, wanted, omittedJobs, silent);
    }

    /** Returns the same with {@code jobs} reported that were not taken in. */
    public ConnectorState omitting(long jobs) {
        return new ConnectorState(
                id, epoch, lastHeartbeat, rmTime, finishedCommand, issuedCommand, fullPollWanted, jobs, silent);
    }

    /** Returns the same, with its nodes taken out of service because nothing was heard of it. */
    public ConnectorState silenced() {
        return new ConnectorState(
                id, epoch, lastHeartbeat, rmTime, finishedCommand, issuedCommand, fullPollWanted, omittedJobs, true);
    }
}
