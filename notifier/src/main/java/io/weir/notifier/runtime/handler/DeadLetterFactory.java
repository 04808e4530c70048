package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.schemas.DeadLetter;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Makes dead letters: the record as it was received, where it came from and why it was given up. Immutable. */
public final class DeadLetterFactory {
    /** What the letters of the notifier say of their origin. */
    public static final String SERVICE = "notifier";

    private static final DeadLetterForm FORM = new DeadLetterForm(SERVICE);

    private final TopicNames names;

    public DeadLetterFactory(TopicNames names) {
        this.names = names;
    }

    /** Returns the dead letter of {@code record}, which {@code channel} gave up: sent again, it goes to that one alone. */
    Outgoing<DeadLetter> of(ConsumerRecord<byte[], byte[]> record, String code, String message, String channel) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        FactHeaders.CHANNEL.put(headers, channel);
        return of(record, code, message, headers);
    }

    /** Returns the dead letter of {@code record}. */
    Outgoing<DeadLetter> of(ConsumerRecord<byte[], byte[]> record, String code, String message) {
        return of(record, code, message, record.headers());
    }

    private Outgoing<DeadLetter> of(
            ConsumerRecord<byte[], byte[]> record, String code, String message, Headers headers) {
        DeadLetter letter =
                FORM.of(DeadLetterForm.Origin.of(record, names), record.key(), record.value(), headers, code, message);
        return new Outgoing<>(Topics.DEAD_LETTERS, EntityKey.ofCluster(cluster(record)), letter);
    }

    private static String cluster(ConsumerRecord<byte[], byte[]> record) {
        byte @Nullable [] key = record.key();
        return key == null ? "" : EntityKey.parse(key).cluster();
    }
}
