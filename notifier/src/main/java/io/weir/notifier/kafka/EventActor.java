package io.weir.notifier.kafka;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionJson;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.CloudEventAttributes;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.util.Set;

/**
 * Publishes the event behind an action on the topic that it names, if that is listed. The key is the object's; the header
 * {@code ce_id} is by what a reader recognises a repetition.
 */
final class EventActor implements Actor {

    private final Set<String> topics;
    private final TopicWriter writer;

    EventActor(Set<String> topics, TopicWriter writer) {
        this.topics = Set.copyOf(topics);
        this.writer = writer;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        if (!topics.contains(action.target())) {
            return ActionResult.of(
                    ActionResult.Outcome.REFUSED,
                    OneLine.of("action.event.topics does not list " + action.target()
                            + "; list it there if it is a topic, or state GEVENTCFG for it if it is an event"));
        }
        try {
            return ActionResult.of(
                    ActionResult.Outcome.DONE,
                    writer.write(
                            action.target(),
                            action.cluster() + "/" + action.objectType() + "/" + action.objectId(),
                            ActionJson.of(action),
                            TopicWriter.cloudEvent(CloudEventAttributes.of(action))));
        } catch (RetriableDeliveryException e) {
            throw e;
        } catch (DeliveryException e) {
            return ActionResult.of(ActionResult.Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public void close() {
        writer.close();
    }
}
