package io.weir.loop;

/** The processes of a site that faults can hit. */
public enum Who {
    SCHEDULER_1,
    SCHEDULER_2,
    CONNECTOR_1,
    CONNECTOR_2,
    NOTIFIER,
    API_1,
    API_2;

    boolean isConnector() {
        return this == CONNECTOR_1 || this == CONNECTOR_2;
    }

    boolean isScheduler() {
        return this == SCHEDULER_1 || this == SCHEDULER_2;
    }

    boolean isApi() {
        return this == API_1 || this == API_2;
    }
}
