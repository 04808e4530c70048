package io.weir.scheduler.core;

import io.weir.schemas.Quarantine;
import io.weir.schemas.Severity;

/** Sets aside what the scheduler failed on, as the journal says, so that the iterations to come do not touch it. */
final class Quarantining {
    private static final String EVENT = "quarantine";

    private final ClusterState state;

    Quarantining(ClusterState state) {
        this.state = state;
    }

    void apply(Quarantine quarantine) {
        state.domain.notice(
                Severity.ERROR,
                EVENT,
                "input",
                quarantine.getId(),
                "input " + quarantine.getId() + " set aside, the scheduler fails on it: " + quarantine.getCause() + ": "
                        + quarantine.getMessage() + "; it is among the dead letters");
    }
}
