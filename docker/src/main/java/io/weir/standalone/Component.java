package io.weir.standalone;

/** What a launcher can run, together or each in a process of its own. Declared in the order of their start. */
public enum Component {
    /** Broker and registry; also makes the topics. */
    BROKER,
    /** The scheduler's stream. */
    SCHEDULER,
    /** The reduction of metrics to events. */
    REDUCTION,
    /** The connector, by default to a simulated resource manager. */
    CONNECTOR,
    /** The notifier. */
    NOTIFIER,
    /** The monitoring source, where it is told what to receive. */
    MONITORING
}
