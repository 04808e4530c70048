package io.weir.scheduler.core.state;

/** The kinds of entity a cluster's state is made of; each has a store of its own. */
public enum EntityKind {
    /** {@link io.weir.schemas.NodeStatus} by node id. */
    NODE,
    /** {@link io.weir.schemas.JobStatus} by job id. */
    JOB,
    /** {@link io.weir.schemas.ReservationStatus} by reservation id. */
    RESERVATION,
    /** {@link io.weir.schemas.Explanation} by job id, as last published. */
    EXPLANATION,
    /** {@link io.weir.scheduler.state.AdviceRecord} by job, requirement and start. */
    ADVICE,
    /** {@link io.weir.scheduler.state.FairshareStatus} by kind and name of the credential. */
    FAIRSHARE,
    /** {@link io.weir.scheduler.state.CredentialRecord} by kind and name of the credential. */
    CREDENTIAL,
    /** {@link io.weir.scheduler.state.NodeRecord} by node id. */
    HISTORY,
    /** {@link io.weir.scheduler.state.CategoryRecord} by node id. */
    CATEGORY,
    /** {@link io.weir.scheduler.state.CategoryTotals}, one per cluster. */
    CATEGORY_TOTALS,
    /** {@link io.weir.scheduler.state.AnsweredRequest} by request id. */
    ANSWER,
    /** {@link io.weir.schemas.Quarantine} by kind and id of what is set aside. */
    QUARANTINE,
    /** {@link io.weir.scheduler.state.NonstopRecord} by job id. */
    NONSTOP,
    /** {@link io.weir.scheduler.state.EventRecord} by object and event. */
    EVENT,
    /** {@link io.weir.scheduler.state.TriggerRecord} by object. */
    TRIGGER,
    /** {@link io.weir.scheduler.state.ChargeRun} by object. */
    CHARGE_RUN,
    /** {@link io.weir.schemas.Charge} by id, until it is published. */
    CHARGE,
    /** {@link io.weir.scheduler.state.LienRecord} by job id. */
    LIEN,
    /** {@link io.weir.scheduler.state.PolicyStatus}, one per cluster. */
    POLICY,
    /** {@link io.weir.scheduler.state.DomainStatus}, one per cluster. */
    DOMAIN
}
