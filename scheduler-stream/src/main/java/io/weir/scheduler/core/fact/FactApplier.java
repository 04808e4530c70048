package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.automation.trigger.TriggerEndings;
import io.weir.scheduler.core.output.LienRequests;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import org.apache.avro.specific.SpecificRecord;

/**
 * What each kind of fact does to the state. A fact only records what happened; what follows from it is decided by the
 * next iteration.
 */
public final class FactApplier {
    /** Kind of the answers to actions of triggers, and to questions about the cost of jobs. */
    private static final String FIRING = "firing";

    /** Kind of the answers about charges. */
    private static final String CHARGE = "charge";

    private final ClusterState state;
    private final NodeReports nodes;
    private final JobReports jobs;
    private final Heartbeats heartbeats;
    private final GenericEvents events;

    public FactApplier(ClusterState state) {
        this.state = state;
        LostNodes lostNodes = new LostNodes(state);
        nodes = new NodeReports(state);
        jobs = new JobReports(state, lostNodes);
        heartbeats = new Heartbeats(state, lostNodes);
        events = new GenericEvents(state);
    }

    public void apply(Fact fact) {
        SpecificRecord record = fact.record();
        state.work.on(QuarantineKind.INPUT, record.getSchema().getName());
        switch (FactKind.of(record)) {
            case NODE -> nodes.apply((NodeReport) record, fact);
            case JOB -> jobs.apply((JobReport) record, fact);
            case HEARTBEAT -> heartbeats.apply((Heartbeat) record, fact.epoch());
            case COMMAND_RESULT -> new CommandOutcomes(state).apply((CommandResult) record);
            case REQUEST -> state.domain.requests.add((Request) record);
            case POLICY -> policy((PolicyVersion) record);
            case PLUGIN_ANSWER -> PluginRequests.answer(state, (PluginAnswer) record);
            case DELIVERY_RESULT -> answered((DeliveryResult) record);
            case QUARANTINE -> new QuarantineControl(state).apply((Quarantine) record);
            case EVENT -> events.apply((GenericEvent) record);
            case METRIC -> {
                // Recorded in the journal. What the scheduler is to know of measurements comes reduced, as an event.
            }
        }
    }

    /**
     * The notifier answers. Notifications, firings and charges are numbered apart, so ids are told apart by kind; of a
     * notification nothing follows here.
     */
    private void answered(DeliveryResult result) {
        switch (result.getKind()) {
            case FIRING -> {
                if (!LienRequests.answer(state, result)) {
                    new TriggerEndings(state).answered(result);
                }
            }
            case CHARGE -> new TriggerEndings(state).unbooked(result);
            default -> {}
        }
    }

    private void policy(PolicyVersion policy) {
        state.domain.nextPolicy = new DomainState.PendingPolicy(policy.getVersion(), policy.getText());
    }
}
