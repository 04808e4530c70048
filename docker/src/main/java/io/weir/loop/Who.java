package io.weir.loop;

import java.util.List;

/** The processes of a site that faults can hit. */
public enum Who {
    SCHEDULER_1,
    SCHEDULER_2,
    CONNECTOR_1,
    CONNECTOR_2,
    NOTIFIER,
    API_1,
    API_2,
    NEIGHBOUR_1,
    NEIGHBOUR_2;

    /** The processes that only the troubled cluster has. */
    static final List<Who> OWN = List.of(CONNECTOR_1, CONNECTOR_2);

    /** Says whether it is a connector of the troubled cluster. */
    boolean isConnector() {
        return this == CONNECTOR_1 || this == CONNECTOR_2;
    }

    boolean isScheduler() {
        return this == SCHEDULER_1 || this == SCHEDULER_2;
    }

    /** Says whether it is the connector of a neighbour. */
    boolean isNeighbour() {
        return this == NEIGHBOUR_1 || this == NEIGHBOUR_2;
    }

    boolean isApi() {
        return this == API_1 || this == API_2;
    }
}
