package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.action.RaisedEvent;
import io.weir.scheduler.core.trigger.action.UnfitActionException;

/**
 * AType event: {@code name [text]}. An event that GEVENTCFG acts on, or that a trigger of the node waits for, is raised
 * here; another name is that of a topic. Without a text it is what was said with the event.
 */
final class PublishAction implements TriggerAction {
    private final ClusterState state;
    private final IterationOutputs outputs;

    PublishAction(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.outputs = outputs;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        RaisedEvent raised = RaisedEvent.read(occasion.spec().action());
        String name = raised.name();
        String written = raised.text();
        String text = written == null
                ? FiringBuilder.said(occasion)
                : occasion.substitution().expand(written, Place.TEXT);
        EventKey key = new EventKey(occasion.objectType(), occasion.objectId(), name);
        boolean configured = state.domain.events.occurred(key, text);
        boolean awaited = occasion.objectType().equals("node") && state.watch.event(occasion.objectId(), name, true);
        return configured || awaited
                ? new TriggerOutcome.Done(true, "event " + name + " raised")
                : new TriggerOutcome.Sent(outputs.firing(
                        FiringBuilder.of(occasion).setTarget(name).setBody(text)));
    }
}
