package io.weir.notifier.kafka;

import io.weir.notifier.spi.CloudEventAttributes;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes each delivery to a topic and waits until all replicas in sync have it. The key is the object's, so that what
 * concerns one object stays in order; the header {@code ce_id} is by what a reader recognises a repetition.
 */
final class KafkaTopicNotifier implements Notifier {

    private final String topic;
    private final Map<String, Object> settings;
    private final Duration timeout;
    private @Nullable Producer<byte[], byte[]> producer;

    KafkaTopicNotifier(String topic, Map<String, Object> settings, Duration timeout) {
        this.topic = topic;
        this.settings = Map.copyOf(settings);
        this.timeout = timeout;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic,
                bytes(delivery.cluster() + "/" + delivery.objectType() + "/" + delivery.objectId()),
                bytes(DeliveryJson.of(delivery)));
        CloudEventAttributes.of(delivery)
                .forEach((name, value) -> record.headers().add("ce_" + name, bytes(value)));
        record.headers().add("content-type", bytes("application/json"));
        try {
            RecordMetadata written = open().send(record).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new Receipt(topic + "-" + written.partition() + " offset " + written.offset());
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            close(); // what it still holds would be sent later, out of order
            throw RetriableDeliveryException.inDoubt(
                    topic + ": no answer of the broker within " + timeout.toMillis() + " ms", e);
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    private Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            open = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            producer = open;
        }
        return open;
    }

    private DeliveryException failure(Throwable cause) {
        String message = OneLine.of(topic + ": " + cause);
        if (cause instanceof RecordTooLargeException || cause instanceof InvalidTopicException) {
            return new DeliveryException(message, cause);
        }
        close();
        return RetriableDeliveryException.inDoubt(message, cause);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
