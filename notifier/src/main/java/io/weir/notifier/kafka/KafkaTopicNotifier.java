package io.weir.notifier.kafka;

import io.weir.notifier.spi.CloudEventAttributes;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;

/**
 * Writes each delivery to a topic. The key is the object's, so that what concerns one object stays in order; the header
 * {@code ce_id} is by what a reader recognises a repetition.
 */
final class KafkaTopicNotifier implements Notifier {

    private final String topic;
    private final TopicWriter writer;

    KafkaTopicNotifier(String topic, TopicWriter writer) {
        this.topic = topic;
        this.writer = writer;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        return new Receipt(writer.write(
                topic,
                delivery.cluster() + "/" + delivery.objectType() + "/" + delivery.objectId(),
                DeliveryJson.of(delivery),
                TopicWriter.cloudEvent(CloudEventAttributes.of(delivery))));
    }

    @Override
    public void close() {
        writer.close();
    }
}
