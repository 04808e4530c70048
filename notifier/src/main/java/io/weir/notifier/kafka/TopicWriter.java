package io.weir.notifier.kafka;

import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of JSON one at a time, and waits until all replicas in sync have each. The brokers need not be there before
 * the first record. Used by one thread.
 */
final class TopicWriter implements AutoCloseable {

    static final String CONTENT_TYPE = "content-type";

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Duration timeout;
    private @Nullable Producer<byte[], byte[]> producer;

    /** Creates a writer; {@code producers} opens an idempotent producer, again after each failure. */
    TopicWriter(Supplier<Producer<byte[], byte[]>> producers, Duration timeout) {
        this.producers = producers;
        this.timeout = timeout;
    }

    /** Returns the headers of a CloudEvent with {@code attributes} whose data is JSON. */
    static Map<String, String> cloudEvent(Map<String, String> attributes) {
        Map<String, String> headers = new LinkedHashMap<>();
        attributes.forEach((name, value) -> headers.put("ce_" + name, value));
        headers.put(CONTENT_TYPE, "application/json");
        return headers;
    }

    /**
     * Writes {@code json} to {@code topic} with {@code headers}, and returns its place.
     *
     * @throws RetriableDeliveryException when the same record may be taken later
     * @throws DeliveryException when it never will
     */
    String write(String topic, String key, String json, Map<String, String> headers)
            throws DeliveryException, InterruptedException {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, bytes(key), bytes(json));
        headers.forEach((name, value) -> record.headers().add(name, bytes(value)));
        try {
            RecordMetadata written = open().send(record).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return topic + "-" + written.partition() + " offset " + written.offset();
        } catch (ExecutionException e) {
            throw failure(topic, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            close(); // what it still holds would be sent later, out of order
            throw RetriableDeliveryException.inDoubt(
                    topic + ": no answer of the broker within " + timeout.toMillis() + " ms", e);
        } catch (KafkaException e) {
            throw failure(topic, e);
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
            open = producers.get();
            producer = open;
        }
        return open;
    }

    private DeliveryException failure(String topic, Throwable cause) {
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
