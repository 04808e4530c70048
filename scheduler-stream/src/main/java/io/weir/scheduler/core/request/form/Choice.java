package io.weir.scheduler.core.request.form;

/** The closed sets of two words that arguments of requests have. */
final class Choice {
    private Choice() {}

    /** Whether something is so. */
    enum Flag {
        TRUE,
        FALSE
    }

    /** How hard a job is cancelled. */
    enum Force {
        /** Whatever the resource manager says. */
        TRUE,
        /** Counted as failed. */
        FAIL
    }

    /** How long a change of the configuration lasts. */
    enum Duration {
        /** Beyond the next version of the policy. */
        PERSISTENT
    }
}
