package io.weir.scheduler.core.state;

/** What is wanted of a scheduler beside its decisions, which are the same in any case. */
public enum Observation {
    /** Nothing: neither records of what changed nor explanations nobody asked for. */
    NONE,
    /** What an iteration publishes. */
    PUBLISHED,
    /** That, and the records that stores keep. */
    STORED;

    /** Returns whether anybody sees what iterations publish of entities and explanations. */
    public boolean publishes() {
        return this != NONE;
    }

    /** Returns whether anybody keeps the state. */
    boolean stores() {
        return this == STORED;
    }
}
