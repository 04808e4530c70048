package io.weir.scheduler.core.request.form;

/** What a request can have the scheduler itself do. */
public enum SchedulerAction {
    /** Start no job until resumed. */
    PAUSE,
    /** Go on, at once or at an instant. */
    RESUME,
    /** Start no job after an iteration. */
    STOP,
    /** Go on for a number of iterations. */
    STEP,
    /** End the process that serves the API. */
    SHUTDOWN,
    /** Leave a message for everybody. */
    MESSAGE,
    /** Take a message away. */
    UNMESSAGE,
    /** Raise an event of the scheduler. */
    GEVENT,
    /** Begin statistics anew. */
    CLEAR,
    /** Have the process that serves the API log more or less. */
    LOGLEVEL
}
