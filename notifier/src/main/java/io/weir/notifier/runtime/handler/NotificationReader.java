package io.weir.notifier.runtime.handler;

import io.weir.schemas.Notification;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads notifications, and tells those that can be delivered from those that never can. Every channel must judge alike,
 * so all of them ask this one. Thread-safe.
 */
public final class NotificationReader {

    private final AvroCodec codec;

    public NotificationReader(AvroCodec codec) {
        this.codec = codec;
    }

    /**
     * Reads {@code record}.
     *
     * @throws UnusableRecordException when it can never be delivered
     * @throws io.weir.topics.RegistryUnavailableException when that cannot be said now
     */
    public Notification read(ConsumerRecord<byte[], byte[]> record) throws UnusableRecordException {
        Notification notification = decode(record);
        Identity.check(notification.getCluster(), "notificationId", notification.getNotificationId());
        return notification;
    }

    private Notification decode(ConsumerRecord<byte[], byte[]> record) throws UnusableRecordException {
        if (record.value() == null) {
            throw new UnusableRecordException("UNDECODABLE", "the record has no value");
        }
        try {
            return codec.decode(Topics.NOTIFICATIONS, record.value());
        } catch (PoisonRecordException e) {
            throw new UnusableRecordException("UNDECODABLE", String.valueOf(e.getMessage()));
        }
    }
}
