package io.weir.scheduler.core.request.form;

import io.weir.schemas.RequestKind;

/** What a request is about; of a question, with that, who answers it. A kind of request belongs to one subject. */
public enum RequestSubject {
    JOB(false),
    NODE(false),
    RESERVATION(false),
    CONFIGURATION(false),
    SCHEDULER(false),
    RECOVERY(false),
    WAIT_CAUSE(true),
    JOB_PRIORITY(true),
    START_TIME(true),
    NODE_STATE(true),
    NODE_STATISTICS(true),
    CREDENTIAL_STATISTICS(true),
    TRIGGERS(true),
    EVENTS(true),
    FAILURE_SERVICE(true),
    JOB_FAILURES(true),

    /** A kind that this build does not know. */
    UNKNOWN(false);

    private final boolean question;

    RequestSubject(boolean question) {
        this.question = question;
    }

    /** Returns the subject of a kind of request. */
    public static RequestSubject of(RequestKind kind) {
        return switch (kind) {
            case CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SET_JOB_PRIORITY,
                    MODIFY_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    SIGNAL_JOB -> JOB;
            case MODIFY_NODE -> NODE;
            case CREATE_RESERVATION, MODIFY_RESERVATION, RELEASE_RESERVATION, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                RESERVATION;
            case MODIFY_CONFIG -> CONFIGURATION;
            case CONTROL_SCHEDULER -> SCHEDULER;
            case REPLACE_JOB_NODE, DROP_JOB_NODE, EXTEND_JOB, DRAIN_NODES, SUBSCRIBE_JOB, UNSUBSCRIBE_JOB -> RECOVERY;
            case EXPLAIN_JOB -> WAIT_CAUSE;
            case SHOW_PRIORITY -> JOB_PRIORITY;
            case SHOW_START, SHOW_BACKFILL -> START_TIME;
            case SHOW_NODE -> NODE_STATE;
            case SHOW_NODE_STATISTICS -> NODE_STATISTICS;
            case SHOW_CREDENTIAL_STATISTICS -> CREDENTIAL_STATISTICS;
            case SHOW_TRIGGERS -> TRIGGERS;
            case SHOW_EVENTS -> EVENTS;
            case SHOW_NONSTOP -> FAILURE_SERVICE;
            case SHOW_JOB_FAILURES -> JOB_FAILURES;
            case UNKNOWN -> UNKNOWN;
        };
    }

    /** Returns whether requests about it only ask. */
    public boolean isQuestion() {
        return question;
    }

    /** Returns whether several requests about it may come together. */
    public boolean goesWithOthers() {
        return this == JOB || this == NODE || this == RESERVATION;
    }

    /** Returns whether requests about it are made to the failure service. */
    public boolean isRecovery() {
        return this == RECOVERY || this == FAILURE_SERVICE || this == JOB_FAILURES;
    }
}
