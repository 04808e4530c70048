package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution.Place;

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
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String[] parts = occasion.spec().action().strip().split(" ", 2);
        String text =
                parts.length > 1 ? occasion.substitution().expand(parts[1], Place.TEXT) : FiringBuilder.said(occasion);
        EventKey key = new EventKey(occasion.objectType(), occasion.objectId(), parts[0]);
        boolean configured = state.domain.events.occurred(key, text);
        boolean awaited =
                occasion.objectType().equals("node") && state.watch.event(occasion.objectId(), parts[0], true);
        return configured || awaited
                ? new TriggerOutcome.Done(true, "event " + parts[0] + " raised")
                : new TriggerOutcome.Sent(outputs.firing(
                        FiringBuilder.of(occasion).setTarget(parts[0]).setBody(text)));
    }
}
