package io.weir.scheduler.core.state;

import io.weir.scheduler.state.AdviceRecord;
import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.scheduler.state.CategoryTotals;
import io.weir.scheduler.state.ChargeRun;
import io.weir.scheduler.state.CredentialRecord;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.EventRecord;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.scheduler.state.LienRecord;
import io.weir.scheduler.state.NodeRecord;
import io.weir.scheduler.state.NonstopRecord;
import io.weir.scheduler.state.PolicyStatus;
import io.weir.scheduler.state.TriggerRecord;
import io.weir.schemas.Charge;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Quarantine;
import io.weir.schemas.ReservationStatus;
import org.apache.avro.specific.SpecificRecord;

/** The kinds of entity a cluster's state is made of; each has a store of its own. */
public enum EntityKind {
    /** {@link NodeStatus} by node id. */
    NODE(NodeStatus.class),
    /** {@link JobStatus} by job id. */
    JOB(JobStatus.class),
    /** {@link ReservationStatus} by reservation id. */
    RESERVATION(ReservationStatus.class),
    /** {@link Explanation} by job id, as last published. */
    EXPLANATION(Explanation.class),
    /** {@link AdviceRecord} by job, requirement and start. */
    ADVICE(AdviceRecord.class),
    /** {@link FairshareStatus} by kind and name of the credential. */
    FAIRSHARE(FairshareStatus.class),
    /** {@link CredentialRecord} by kind and name of the credential. */
    CREDENTIAL(CredentialRecord.class),
    /** {@link NodeRecord} by node id. */
    HISTORY(NodeRecord.class),
    /** {@link CategoryRecord} by node id. */
    CATEGORY(CategoryRecord.class),
    /** {@link CategoryTotals}, one per cluster. */
    CATEGORY_TOTALS(CategoryTotals.class),
    /** {@link AnsweredRequest} by request id. */
    ANSWER(AnsweredRequest.class),
    /** {@link Quarantine} by kind and id of what is set aside. */
    QUARANTINE(Quarantine.class),
    /** {@link NonstopRecord} by job id. */
    NONSTOP(NonstopRecord.class),
    /** {@link EventRecord} by object and event. */
    EVENT(EventRecord.class),
    /** {@link TriggerRecord} by object. */
    TRIGGER(TriggerRecord.class),
    /** {@link ChargeRun} by object. */
    CHARGE_RUN(ChargeRun.class),
    /** {@link Charge} by id, until it is published. */
    CHARGE(Charge.class),
    /** {@link LienRecord} by job id. */
    LIEN(LienRecord.class),
    /** {@link PolicyStatus}, one per cluster. */
    POLICY(PolicyStatus.class),
    /** {@link DomainStatus}, one per cluster. */
    DOMAIN(DomainStatus.class);

    private final Class<? extends SpecificRecord> type;

    EntityKind(Class<? extends SpecificRecord> type) {
        this.type = type;
    }

    /** Returns the type of record that entities of this kind are stored as. */
    public Class<? extends SpecificRecord> type() {
        return type;
    }
}
