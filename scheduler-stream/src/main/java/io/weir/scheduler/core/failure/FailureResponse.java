package io.weir.scheduler.core.failure;

/** Answers the failure of nodes of a job in one way. */
interface FailureResponse {
    /** Does what it does about {@code loss}; does nothing, to be asked again, when no connector can take its order. */
    void answer(StrickenJob loss);
}
