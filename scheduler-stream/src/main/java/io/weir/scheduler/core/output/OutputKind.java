package io.weir.scheduler.core.output;

/** Where an output of an iteration goes; the shell maps each to its topic. */
public enum OutputKind {
    /** {@link io.weir.schemas.RmCommand}. */
    COMMAND,
    /** {@link io.weir.schemas.Decision}. */
    DECISION,
    /** {@link io.weir.schemas.NodeStatus}; a null value removes the node. */
    NODE,
    /** {@link io.weir.schemas.JobStatus}; a null value removes the job. */
    JOB,
    /** {@link io.weir.schemas.ReservationStatus}; a null value removes the reservation. */
    RESERVATION,
    /** {@link io.weir.schemas.Explanation}; a null value removes it. */
    EXPLANATION,
    /** {@link io.weir.schemas.RequestResult}. */
    REQUEST_RESULT,
    /** {@link io.weir.schemas.Notification}. */
    NOTIFICATION,
    /** {@link io.weir.schemas.PluginQuestion}. */
    PLUGIN_QUESTION,
    /** {@link io.weir.schemas.NonstopEvent}. */
    NONSTOP_EVENT,
    /** {@link io.weir.schemas.CategoryInterval}. */
    NODE_CATEGORY,
    /** {@link io.weir.schemas.TriggerFiring}. */
    TRIGGER_FIRING,
    /** {@link io.weir.schemas.Charge}. */
    CHARGE
}
