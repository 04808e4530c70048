package io.weir.notifier.kafka;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.schemas.Charge;
import java.util.Map;

/**
 * Writes each charge to a topic as a CloudEvent in structured mode. The key is the object's, so that its charges stay in order;
 * the id in the event is by what a reader recognises a repetition.
 */
final class ChargeTopic implements ChargePeer {

    private static final Map<String, String> HEADERS = Map.of(TopicWriter.CONTENT_TYPE, "application/cloudevents+json");

    private final String topic;
    private final TopicWriter writer;

    ChargeTopic(String topic, TopicWriter writer) {
        this.topic = topic;
        this.writer = writer;
    }

    @Override
    public Receipt book(Charge charge) throws DeliveryException, InterruptedException {
        return new Receipt(writer.write(
                topic,
                charge.getCluster() + "/" + charge.getObjectType() + "/" + charge.getObjectId(),
                ChargeForm.cloudEvent(charge),
                HEADERS));
    }

    @Override
    public void close() {
        writer.close();
    }
}
