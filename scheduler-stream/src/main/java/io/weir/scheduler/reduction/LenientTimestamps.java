package io.weir.scheduler.reduction;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/** Timestamps as Kafka Streams will have them: it stops at negative ones. What counts is the time in the metric. */
final class LenientTimestamps implements TimestampExtractor {
    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return Math.max(0, record.timestamp());
    }
}
