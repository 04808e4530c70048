package io.weir.scheduler.stream;

/** Whose clock a cluster is scheduled by. */
public enum ClockMode {
    /** The resource manager's: iterations answer complete heartbeats and nothing else; the time is the heartbeat's. */
    RM,
    /** This machine's, tied to the heartbeats: urgent events and wake-ups make iterations too. */
    WALL
}
